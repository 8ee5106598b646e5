import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Chromium or Chrome is installed, on Linux and macOS; `CHROMIUM` names another place. */
const places = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const installedBrowser = places.find((place) => place !== undefined && existsSync(place));

/** No download: the browser that is there. Without its own sandbox, which does not start for root. */
export function openBrowser(): Promise<Browser> {
  if (installedBrowser === undefined) throw new Error('No Chromium found; install it, or name it with CHROMIUM=');
  return chromium.launch({ executablePath: installedBrowser, args: ['--no-sandbox'] });
}
