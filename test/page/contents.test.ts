import { describe, expect, test } from 'vitest';
import { mail } from '../sandbox/control/rig.js';
import { clientOf, raw, receipt } from '../sandbox/mail/rig.js';
import { sandboxForTest } from '../sandbox/rig.js';
import { browserForTests, list, phone, skip } from './rig.js';

describe.skipIf(skip)('the page, whatever and however much there was', () => {
  const open = browserForTests();

  test('says so when it shows only the newest', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    for (let i = 0; i < 100; i += 1) await mail(sandbox, `m-${i}`);
    await expect.poll(() => list(page, 'What was asked').count()).toBe(100);
    expect(await page.getByText('The newest').count()).toBe(0);
    await mail(sandbox, 'm-100');
    await expect.poll(() => page.locator('#requests-shown').textContent()).toBe('The newest 100 of 101');
    expect(await page.locator('#emails-shown').textContent()).toBe('The newest 100 of 101');
    expect(await page.locator('#charges-shown').textContent()).toBe('');
  });

  test('shows what was changed of the clock and the settings, and nothing when nothing was', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    const shown = (): Promise<string | null> => page.locator('#unusual').textContent();
    expect(await shown()).toBe('');
    sandbox.advanceClock(25 * 3_600_000);
    sandbox.updateSettings({ ignoreKeys: true, neverPrune: true, rateLimit: 25, searchLagMs: 0 });
    const text =
      'Unlike a new sandbox: the clock is 25 h ahead; keys are ignored; keys are never pruned; ' +
      'at most 25 requests per second; search lags by 0 s';
    await expect.poll(shown).toBe(text);
    sandbox.reset();
    await expect.poll(shown).toBe('');
  });

  test('characters that turn the direction of writing stay within their own text', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox, phone);
    const left = (selector: string): Promise<number> =>
      page.evaluate(`document.querySelector('#emails li:first-child ${selector}').getBoundingClientRect().left`);
    await clientOf(sandbox).emails.send({ ...receipt, subject: '\u202eReceipt', to: '\u202eAda <ada@x.test>' });
    await list(page, 'Inbox').getByText('Thank you').waitFor();
    expect(await left('time')).toBeGreaterThan(await left('strong'));
    expect(await left('div:nth-child(2) .quiet')).toBeLessThan(await left('div:nth-child(2) bdi'));
  });

  test('on a phone, a long path, key, subject, letter and list of recipients fold, and open by keyboard', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox, phone);
    const long = (length: number): string => 'x'.repeat(length);
    await raw(sandbox, {
      headers: { 'idempotency-key': long(256) },
      body: JSON.stringify({
        ...receipt,
        to: Array(30).fill('somebody.with.a.name@example.com'),
        subject: long(900),
        text: 'line\n'.repeat(50),
      }),
    });
    await raw(sandbox, {}, `/${long(3_000)}`);
    await expect.poll(() => list(page, 'What was asked').count()).toBe(2);
    const height = (name: string): Promise<number> =>
      list(page, name)
        .first()
        .evaluate((item: { clientHeight: number }) => item.clientHeight);
    expect(await height('Inbox')).toBeLessThan(phone.viewport.height / 2);
    expect(await height('What was asked')).toBeLessThan(phone.viewport.height / 3);
    const folded = list(page, 'Inbox').locator('summary').filter({ hasText: 'somebody' });
    const before = await height('Inbox');
    await folded.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => height('Inbox')).toBeGreaterThan(before + 300);
    await page.locator('summary').filter({ hasText: '#2' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => height('What was asked')).toBeGreaterThan(phone.viewport.height);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});
