import { byId, setText, showList } from './element.js';
import * as items from './items.js';
import { unusual } from './unusual.js';

/**
 * Puts a state on the screen.
 *
 * @param {import('./calls.js').State} state
 */
export function show(state) {
  const { totals, charges, refunds, emails, requests, faults, now } = state;
  const repeated = totals.repeatedKeys;
  setText('clock', `Its clock: ${new Date(now).toLocaleString()}`);
  setText('charged', totals.charged.join(' + ') || '$0.00');
  setText('refunded', totals.refunded.join(' + ') || '$0.00');
  setText('repeated', String(repeated.length));
  setText('email-count', String(totals.emails));
  setText('request-count', String(totals.requests));
  setText('lost-count', String(totals.lostAnswers));
  byId('repeated-card').className = `large ${repeated.length === 0 ? 'right' : 'wrong'}`;
  setText('alarm', repeated.length === 0 ? '' : `More than one effect under: ${repeated.join(', ')}`);

  const settings = unusual(state);
  setText('unusual', settings.length === 0 ? '' : `Unlike a new sandbox: ${settings.join('; ')}`);

  const waiting = faults.filter(({ times, used }) => times === 'always' || used < times);
  setText('faults', waiting.map(({ fault, match }) => `${fault} on ${match}`).join('; ') || 'no fault');

  showList(byId('charges'), charges, items.charge, 'No charge yet');
  showList(byId('refunds'), refunds, items.refund, 'No refund yet');
  showList(byId('emails'), emails, items.email, 'No e-mail yet');
  showList(byId('requests'), requests, items.request, 'No request yet');
  setText('charges-shown', shownOf(charges, totals.charges));
  setText('refunds-shown', shownOf(refunds, totals.refunds));
  setText('emails-shown', shownOf(emails, totals.emails));
  setText('requests-shown', shownOf(requests, totals.requests));
}

/**
 * @param {readonly unknown[]} items
 * @param {number} total
 */
const shownOf = (items, total) => (items.length < total ? `The newest ${items.length} of ${total}` : '');
