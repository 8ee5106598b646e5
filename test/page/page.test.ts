import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { charge, mail } from '../sandbox/control/rig.js';
import { sandboxForTest } from '../sandbox/rig.js';
import { browserForTests, list, phone, skip } from './rig.js';

describe.skipIf(skip)('the page', () => {
  const open = browserForTests();
  const total = (page: Page): Promise<string | null> => page.locator('#charged').textContent();

  test('shows live what happened and what was asked, each with its key, answer and fault', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    expect(await list(page, 'Charges').allTextContents()).toEqual(['No charge yet']);

    sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: 'drop' });
    await charge(sandbox, 'key-1');
    await charge(sandbox, 'key-1');
    await mail(sandbox, 'key-2');

    // An entry is shown before it is answered.
    await expect.poll(() => list(page, 'What was asked').first().innerText()).toMatch(/#3[^]*answered 200/);
    const [third, second, first] = await list(page, 'What was asked').allInnerTexts();
    for (const word of ['#1', 'POST /v1/payment_intents', 'executed', 'fault: drop', 'no answer sent', 'key-1']) {
      expect(first).toContain(word);
    }
    for (const word of ['#2', 'replayed', 'answered 200', 'key-1']) expect(second).toContain(word);
    for (const word of ['#3', 'POST /emails', 'executed', 'answered 200', 'key-2']) expect(third).toContain(word);
    expect(second).not.toContain('fault');
    expect(await list(page, 'Charges').innerText()).toMatch(/\$25\.00 succeeded [\s\S]*pi_[\s\S]*key-1/);
    expect(await list(page, 'Inbox').innerText()).toMatch(/b@x\.test[\s\S]*key-2/);
    expect(await total(page)).toBe('$25.00');
    expect(await page.locator('#repeated').textContent()).toBe('0');
    expect(await page.locator('#lost-count').textContent()).toBe('1');
  });

  test('a key with two effects stands out, and is announced', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    await charge(sandbox, 'twice');
    await page.getByRole('button', { name: 'Prune keys' }).click();
    await page.getByRole('status').getByText('keys older than 24 hours are forgotten').waitFor();
    await charge(sandbox, 'twice');
    await page.getByRole('alert').getByText('More than one effect under: twice').waitFor();
    expect(await page.locator('#repeated').textContent()).toBe('1');
    expect(await total(page)).toBe('$50.00');
  });

  test('the next answer can be lost from here, by keyboard alone', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    const focused = (): Promise<string | null> => page.evaluate('document.activeElement.id');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('fault-target');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown'); // e-mail
    await page.keyboard.press('Tab');
    await page.keyboard.type('502');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The next answer to POST /emails will be lost: 502-after.').waitFor();
    await page.getByText('Waiting: 502-after on POST /emails').waitFor();
    expect([await mail(sandbox, 'm'), sandbox.effects().emails.length]).toEqual([502, 1]);
    await page.getByText('Waiting: no fault').waitFor();
    for (const button of ['prune', 'clear', 'reset']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(button);
    }
  });

  test('an opened request stays open and focused while others arrive', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    await charge(sandbox, 'a');
    const summary = page.locator('summary').filter({ hasText: '#1' });
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Body of request 1' }).getByText('amount=2500').waitFor();
    await charge(sandbox, 'b');
    await page.locator('summary').filter({ hasText: '#2' }).waitFor();
    expect(await page.getByRole('region', { name: 'Body of request 1' }).isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.innerText')).toContain('#1');
  });

  test('reset asks first', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    await charge(sandbox, 'a');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Reset everything' }).click();
    expect(sandbox.effects().charges).toHaveLength(1);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await page.getByRole('status').getByText('Everything is forgotten.').waitFor();
    await expect.poll(() => total(page)).toBe('$0.00');
    expect(sandbox.effects().requests).toEqual([]);
  });

  test('what a request contains never becomes markup', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    await fetch(`${sandbox.mailUrl}/emails`, {
      method: 'POST',
      headers: { authorization: 'Bearer re_x', 'idempotency-key': '<b>k</b>' },
      body: JSON.stringify({ from: 'a@x.test', to: 'b@x.test', subject: evil, text: evil }),
    });
    await page.getByRole('list', { name: 'Inbox' }).getByText(evil).first().waitFor();
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect(await page.title()).toContain('Sandbox');
  });

  test('a lost answer to a read is none: only what had an effect counts', async () => {
    const sandbox = await sandboxForTest();
    const page = await open(sandbox);
    for (const match of ['GET /v1/payment_intents', 'POST /emails']) {
      sandbox.addFault({ service: match.startsWith('GET') ? 'stripe' : 'mail', match, fault: '502-after' });
    }
    await fetch(`${sandbox.stripeUrl}/v1/payment_intents`, { headers: { authorization: 'Bearer sk_test_secret' } });
    await mail(sandbox, 'm');
    const asked = async () => (await list(page, 'What was asked').allInnerTexts()).join();
    await expect.poll(async () => (await asked()).match(/502-after/g)).toHaveLength(2);
    expect(await page.locator('#lost-count').textContent()).toBe('1');
  });

  test('says when the sandbox is gone', async () => {
    const sandbox = await sandboxForTest();
    const context = await open.browser().newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(sandbox.url);
    await page.getByText('Its clock').waitFor();
    await sandbox.close();
    await page.getByRole('status').getByText('The sandbox cannot be reached.').waitFor();
  });

  test.each([
    ['on a phone, light', { ...phone, colorScheme: 'light' }],
    ['on a phone, dark', { ...phone, colorScheme: 'dark' }],
    ['on a desk, light', { colorScheme: 'light' }],
    ['on a desk, dark', { colorScheme: 'dark' }],
  ] as const)('%s: nothing is cut off, and every text can be read', async (_, options) => {
    const sandbox = await sandboxForTest();
    sandbox.addFault({ service: 'stripe', match: 'POST /v1/payment_intents', fault: '502-after' });
    const page = await open(sandbox, options);
    await charge(sandbox, 'k'.repeat(255));
    await mail(sandbox, 'm');
    await expect.poll(() => list(page, 'What was asked').count()).toBe(2);
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    const ratios = await page.evaluate<[string, number][]>(contrasts);
    expect(ratios.length).toBeGreaterThan(30);
    expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  });
});

/** Runs in the page: each visible text with the contrast between it and the ground behind it (WCAG 2, 1.4.3). */
const contrasts = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).slice(0, 3).map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('body *')]
    .filter((node) => node.checkVisibility() && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .map((node) => {
      const [a, b] = [luminance(getComputedStyle(node).color), luminance(ground(node))].sort((x, y) => x - y);
      return [node.textContent.trim().slice(0, 40), (b + 0.05) / (a + 0.05)];
    });
})()`;
