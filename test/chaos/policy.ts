import type { Policy } from '../../src/plan/policy.js';

/** The largest charge that needs nobody's approval, and what one plan may charge at all, in cents. */
export const approvalThreshold = 20_000;
export const spendingLimit = 50_000;

/** How long a step is tried. A failure that the mailbox has stored is given again for all of it. */
export const stepTimeLimit = 60_000;

/**
 * The workers' policy, as its file has it. Times are short, so that a run sees many attempts: an answer that takes longer
 * than a second is lost, and an attempt that died is followed by the next one within three seconds.
 */
export const workerPolicy = {
  limits: { usd: spendingLimit, eur: spendingLimit },
  approveAbove: { usd: approvalThreshold, eur: approvalThreshold },
  // Longer than any run of this program: whoever is to decide does so, sooner or later.
  approvalTimeout: '2h',
  recipients: ['*@example.com'],
  activity: {
    requestTimeout: '1s',
    startToCloseTimeout: '3s',
    scheduleToCloseTimeout: `${stepTimeLimit / 1000}s`,
    initialInterval: '200ms',
    maximumInterval: '2s',
    backoffCoefficient: 2,
  },
};

/** Some plans give up early: after so few attempts nobody may have answered, and only the ledger knows what came of it. */
export const impatient = (maximumAttempts: number): Policy => ({ activity: { maximumAttempts } });
