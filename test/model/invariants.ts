import type { World } from './world.js';

/**
 * What a course of events broke, if anything: promise 1 (nothing takes effect twice) and promise 2 (nothing is claimed
 * that did not happen, nothing that happened is denied). Asked after every event, so that it holds whatever comes late.
 */
export function broken(world: World): string | undefined {
  const { provider } = world;
  const names = provider.effects.filter(({ status }) => status === 'succeeded').map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined && !world.isBeyondPromise) return `${twice} took effect twice`;
  for (const { key, tool, status, result, undo } of world.report?.steps ?? []) {
    const isThere = key !== undefined && names.includes(key);
    const { id } = (result ?? {}) as { id?: string };
    if (status === 'succeeded' && !isThere) return `a ${tool} was reported as done, but is not there`;
    if (result !== undefined && !provider.effects.some((effect) => effect.id === id)) return `there is no ${id}`;
    const isForgotten = world.denialLost || world.isBeyondPromise;
    if (status === 'failed' && isThere && !isForgotten) return `a ${tool} was reported as failed, but is there`;
    if (status === 'outcome_unknown' && !world.mayBeUnknown)
      return `a ${tool} was reported as unknown without a reason`;
    const charged = provider.successful('charge').length;
    const refunded = provider.successful('refund').length;
    if (status === 'undone' && charged !== refunded && !isForgotten)
      return `undone, but ${charged} charged and ${refunded} given back`;
    if (undo?.status === 'failed' && refunded > 0 && !isForgotten)
      return 'an undo was reported as failed, but it is done';
    if (undo?.status === 'outcome_unknown' && !world.mayBeUnknown) return 'an undo is unknown without a reason';
  }
  return undefined;
}
