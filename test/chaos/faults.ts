import type { FaultName, FaultRule } from '../../src/sandbox/sandbox.js';

/** Longer than the request time-out: the answer comes when nobody waits for it any more. */
const tooLateMs = 1_300;

/** The effect is committed, the answer is lost, late, cut or endless. */
const lost: FaultName[] = [
  ...(['drop', 'hang', 'late', 'slow', '502-after'] as const),
  ...(['truncate-clean', 'truncate-length', 'truncate-stall', 'empty-200', 'trickle'] as const),
];

/** Nothing happened this time. */
const notThisTime: FaultName[] = ['502-before', '429', '400-rate-limit', 'lock-timeout', '409'];

/** Together about three requests in ten. */
const usual = 0.02;
/** A stored failure makes an outcome unknown for good, so it is rare: most plans are to go on to their end. */
const stored: readonly [FaultName, number][] = [
  ['500-saved', 0.003],
  ['500-saved-after', 0.01],
];

const writes = [
  { service: 'stripe', match: 'POST /v1/payment_intents' },
  { service: 'stripe', match: 'POST /v1/refunds' },
  { service: 'mail', match: 'POST /emails' },
] as const;

/** The looks for an effect and the reads. */
const reads = [
  { service: 'stripe', match: 'GET /v1/payment_intents' },
  { service: 'stripe', match: 'GET /v1/payment_intents/*' },
  { service: 'stripe', match: 'GET /v1/refunds' },
] as const;

/** The wires' faults for a whole run: which request is hit depends on the seed, its key and the how-manieth it is. */
export function faultRules(seed: number): FaultRule[] {
  const anywhere = [...lost, ...notThisTime];
  const rule = (fault: FaultName, probability: number): Omit<FaultRule, 'service' | 'match'> => ({
    ...{ fault, probability, seed, times: 'always', delayMs: tooLateMs },
  });
  return [
    ...writes.flatMap((wire) => anywhere.map((fault) => ({ ...wire, ...rule(fault, usual) }))),
    ...writes.flatMap((wire) => stored.map(([fault, probability]) => ({ ...wire, ...rule(fault, probability) }))),
    ...reads.flatMap((wire) => anywhere.map((fault) => ({ ...wire, ...rule(fault, usual) }))),
  ];
}

/** How long after its request a fault may still have something to do. */
export const longestFaultMs = tooLateMs;
