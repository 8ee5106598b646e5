import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { patience } from '../limits.js';
import { installedBrowser, openBrowser } from './browser.js';

// On CI a browser is installed; a page that nobody has looked at must not pass there.
export const skip = installedBrowser === undefined && !process.env['CI'];
if (skip) console.warn('SKIPPED: the page tests need Chromium; install it, or name it with CHROMIUM=');

export const phone = { viewport: { width: 360, height: 740 } };

export const list = (page: Page, name: string): ReturnType<Page['locator']> =>
  page.getByRole('list', { name }).getByRole('listitem');

type OpenPage = ((sandbox: Sandbox, options?: BrowserContextOptions) => Promise<Page>) & { browser(): Browser };

/** One browser for the tests of a `describe`, which calls this. */
export function browserForTests(): OpenPage {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** The page in a fresh browser profile that has no network but the sandbox. Errors in it fail the test. */
  const open = async (sandbox: Sandbox, options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    await page.goto(sandbox.url);
    await page.getByText('Its clock').waitFor();
    return page;
  };
  return Object.assign(open, { browser: () => browser });
}
