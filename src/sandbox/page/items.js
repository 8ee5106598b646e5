import { element } from './element.js';

/** @typedef {import('../overview.js').Overview} Overview */

/** In people's words, and whether it is what one hopes to see. */
const answers = {
  executed: { word: 'executed', mood: 'good' },
  replayed: { word: 'replayed', mood: 'good' },
  in_flight: { word: 'in flight', mood: 'warn' },
  mismatch: { word: 'mismatch', mood: 'bad' },
  rejected: { word: 'rejected', mood: 'warn' },
  none: { word: 'not known', mood: 'warn' },
};

/** @param {string} at */
const time = (at) => element('time', { datetime: at, class: 'quiet' }, new Date(at).toLocaleTimeString());

/**
 * @param {string} text
 * @param {string} mood
 */
const badge = (text, mood) => element('span', { class: `badge ${mood}` }, text);

/** @param {string} status */
const statusBadge = (status) => badge(status, status === 'succeeded' ? 'good' : 'warn');

/**
 * What a request contained. Isolated, because characters that turn the direction of writing would turn what stands beside
 * it, too.
 *
 * @param {string} name
 * @param {string} text
 */
const foreign = (name, text) => element(name, {}, element('bdi', {}, text));

/** @param {string} text */
const code = (text) => foreign('code', text);

/** More than this may be more lines than the style leaves a closed one on the narrowest phone. */
const longText = 90;
const longLines = 3;

/**
 * Text of any length: when it is long, as much as a few lines hold, and all of it on demand.
 *
 * @param {HTMLElement} node
 */
function foldable(node) {
  const text = node.textContent;
  if (text.length <= longText && text.split('\n').length <= longLines) return node;
  return element('details', {}, element('summary', {}, element('div', { class: 'long' }, node)));
}

/** @param {string} text */
const quiet = (text) => element('span', { class: 'quiet' }, text);

/** @param {string | null} key */
const keyText = (key) => element('div', {}, quiet('key '), code(key ?? 'none'));

/** @param {string | null} key */
const keyLine = (key) => foldable(keyText(key));

/**
 * Parts of one line, with blanks between them.
 *
 * @param {(Node | null)[]} parts
 */
const line = (...parts) => element('div', {}, ...parts.flatMap((part) => (part ? [part, ' '] : [])));

/** @param {Overview['charges'][number]} charge */
export const charge = ({ id, key, status, text, refundedText, at }) => [
  line(
    element('strong', {}, text),
    statusBadge(status),
    refundedText === null ? null : badge(`${refundedText} refunded`, 'warn'),
    time(at),
  ),
  line(code(id)),
  keyLine(key),
];

/** @param {Overview['refunds'][number]} refund */
export const refund = ({ id, payment_intent, key, status, text, at }) => [
  line(element('strong', {}, text), statusBadge(status), time(at)),
  line(code(id), quiet('of'), code(payment_intent)),
  keyLine(key),
];

/**
 * @param {string} item
 * @param {number} i
 */
const listed = (item, i) => [i === 0 ? '' : ', ', element('bdi', {}, item)];

/** @param {Overview['emails'][number]} email */
export const email = ({ key, to, subject, text, at }) => [
  line(foldable(foreign('strong', subject)), time(at)),
  foldable(element('div', {}, quiet('to '), ...[to].flat().flatMap(listed))),
  foldable(element('div', { class: 'letter', dir: 'auto' }, text ?? '(HTML only)')),
  keyLine(key),
];

/** @param {Overview['requests'][number]} request */
export const request = ({ number, method, path, key, body, answer, status, fault, at }) => [
  element(
    'details',
    {},
    element(
      'summary',
      {},
      element('div', { class: 'long' }, quiet(`#${number} `), foreign('strong', `${method} ${path}`)),
      line(
        badge(answers[answer].word, answers[answer].mood),
        fault === null ? null : badge(`fault: ${fault}`, 'bad'),
        element('span', {}, status === null ? 'no answer sent' : `answered ${status}`),
        time(at),
      ),
      element('div', { class: 'long' }, keyText(key)),
    ),
    // A region that scrolls must be reachable by keyboard.
    element(
      'pre',
      { tabindex: '0', role: 'region', dir: 'auto', 'aria-label': `Body of request ${number}` },
      body || '(no body)',
    ),
  ),
];
