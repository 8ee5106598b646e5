/*
 * Stands in for what only checks and describes a plan: it costs more than all the rest of a course of events, and
 * changes nothing that happens.
 */
import type { Plan } from '../../src/plan/plan-schema.js';

export const formatAmount = (amount: number, currency: string): string => `${amount} ${currency}`;
export const validatePlan = (plan: Plan): Plan => plan;
export const fingerprint = (): string => 'as written';
