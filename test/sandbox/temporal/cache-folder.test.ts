import { expect, it } from 'vitest';
import { cacheFolder } from '../../../src/sandbox/temporal/cache.js';

const home = { HOME: '/home/ann' };

it.each([
  ['linux', home, '/home/ann/.cache/temporal-agent-plans'],
  ['linux', { ...home, XDG_CACHE_HOME: '/var/cache/ann' }, '/var/cache/ann/temporal-agent-plans'],
  ['linux', { ...home, XDG_CACHE_HOME: 'relative' }, '/home/ann/.cache/temporal-agent-plans'],
  ['darwin', { ...home, XDG_CACHE_HOME: '/var/cache/ann' }, '/home/ann/Library/Caches/temporal-agent-plans'],
  ['win32', { ...home, LOCALAPPDATA: '/local' }, '/local/temporal-agent-plans'],
] as const)('the cache folder on %s with %o is %s', (platform, env, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder);
});
