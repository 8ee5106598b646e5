import { describe, expect, test } from 'vitest';
import { createDisplay } from '../../src/client/display.js';
import type { Standing } from '../../src/client/standing.js';
import { columns, oneLine, shellQuote } from '../../src/client/text.js';
import { webLink } from '../../src/client/web-link.js';
import type { StepReport, StepStatus } from '../../src/plan/report.js';

const step = (index: number, status: StepStatus, more: Partial<StepReport> = {}): StepReport => ({
  ...{ index, tool: 'email', status, attempts: 0, replays: 0 },
  ...more,
});

const standing = (steps: StepReport[], attempt?: Standing['attempt']): Standing => ({
  report: { workflowId: 'w1', namespace: 'default', runId: 'r1', status: 'running', steps },
  closed: false,
  ...(attempt ? { attempt } : {}),
});

/** A terminal as a list of lines: it does what the live block's few control sequences mean. */
function terminal(columns: number, rows: number) {
  const lines = [''];
  const write = (text: string): boolean => {
    // eslint-disable-next-line no-control-regex
    for (const [part] of text.matchAll(/\x1b\[(\d*)[AJ]|\x1b\[\?7[lh]|\r|\n|[^\x1b\r\n]+/g)) {
      if (part === '\n') lines.push('');
      else if (part.endsWith('A') && part.startsWith('\x1b')) lines.length -= Number.parseInt(part.slice(2));
      else if (part.endsWith('J') && part.startsWith('\x1b')) lines[lines.length - 1] = '';
      else if (!part.startsWith('\x1b') && part !== '\r') lines.push(`${lines.pop() ?? ''}${part}`);
    }
    return true;
  };
  const stream = { isTTY: true, columns, rows, write };
  return { display: createDisplay(stream), lines };
}

function pipe() {
  let text = '';
  const write = (line: Uint8Array | string): boolean => {
    text += line.toString();
    return true;
  };
  return { stream: { isTTY: false, columns: 80, rows: 24, write }, text: () => text };
}

describe('the live block', () => {
  test('is redrawn in place, is cut at the edge, and gives the screen back', () => {
    const { display, lines } = terminal(41, 24);
    display.show(standing([step(0, 'running')]));
    display.show(standing([step(0, 'running')], { index: 0, number: 2, lastFailure: 'no answer within 600 ms' }));
    expect(lines).toEqual(['w1: running', '  0  email  running  attempt 2  last: n…', '']);
    display.note('something beside');
    expect(lines.slice(0, 2)).toEqual(['something beside', 'w1: running']);
    display.end();
    expect(lines).toEqual(['something beside', '']);
  });

  test('of a long plan shows the part around the step at work', () => {
    const { display, lines } = terminal(80, 10);
    const steps = Array.from({ length: 100 }, (_, index) =>
      step(index, index < 50 ? 'succeeded' : index === 50 ? 'running' : 'pending'),
    );
    display.show(standing(steps));
    expect(lines).toHaveLength(10);
    expect(lines.join('\n')).toMatch(/50 +email +running/);
  });
});

test('where the output is piped, each change is a line, and what is the same is not said again', () => {
  const { stream, text } = pipe();
  const display = createDisplay(stream);
  const running = standing([step(0, 'running'), step(1, 'pending')]);
  for (const look of [running, running, standing([step(0, 'succeeded', { attempts: 1 }), step(1, 'pending')])]) {
    display.show(look);
  }
  expect(text()).toBe('step 0 · email · running\nstep 0 · email · succeeded · attempt 1\n');
});

test('an undo at work is shown at its step', () => {
  const { stream, text } = pipe();
  const steps = [step(0, 'succeeded', { tool: 'charge' }), step(1, 'failed')];
  createDisplay(stream).show(standing(steps, { index: 0, number: 3, lastFailure: 'no answer' }));
  expect(text()).toContain('step 0 · charge · undoing · attempt 3 · last: no answer\n');
});

test('what others wrote cannot move the cursor', () => {
  expect(oneLine('a\x1b[2Jb\r\nc\u0085d\u2028e')).toBe('a [2Jb c d e');
});

test('columns are as wide as their widest cell', () => {
  expect(
    columns([
      ['a', 'bc'],
      ['def', ''],
    ]),
  ).toEqual(['a    bc', 'def']);
});

test.for([
  ['order-1042', 'order-1042'],
  ['注文-1', "'注文-1'"],
  ["it's mine", "'it'\\''s mine'"],
  ['$(reboot)', "'$(reboot)'"],
])('a shell takes %s as %s', ([text = '', quoted]) => {
  expect(shellQuote(text)).toBe(quoted);
});

test.for<[string, string | undefined, string | undefined]>([
  ['127.0.0.1:7233', undefined, 'http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb%20c'],
  ['localhost:7233', undefined, 'http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb%20c'],
  ['temporal.example.com:7233', undefined, undefined],
  [
    'temporal.example.com:7233',
    'https://ui.example.com/',
    'https://ui.example.com/namespaces/default/workflows/a%2Fb%20c',
  ],
])('the Web UI of %s (TEMPORAL_UI_URL=%s) is %s', ([address, uiUrl, link]) => {
  expect(webLink(address, 'default', 'a/b c', uiUrl)).toBe(link);
});
