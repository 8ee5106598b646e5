import type { StepError } from './report.js';

/** An undone plan is closed: starting it again, which an unknown outcome advises otherwise, asks nothing. */
export const askedNoMore = (tool: string, key: string): StepError => ({
  type: 'outcome_unknown',
  message:
    `It is not known whether the ${tool} took effect, and the undone plan asks no more. ` +
    `Look for ${key} at the provider and settle it with "resolve".`,
});
