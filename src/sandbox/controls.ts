import type { SandboxClock } from './clock.js';
import { ControlError } from './control/input.js';
import type { SandboxDatabase } from './database.js';
import type { Effects } from './effects.js';
import { faultRuleSchema, type FaultRule, type StoredFaultRule } from './gateway/fault-rule.js';
import type { FaultRules } from './gateway/fault-rules.js';
import { faults } from './gateway/faults.js';
import type { RequestLog } from './gateway/request-log.js';
import type { Settings, SettingsStore } from './settings.js';

/** What a test, the demo or the page can do to the sandbox; `POST /faults` and the others are the same by HTTP. */
export interface Controls {
  /** `bodyLimit`: of each request's body only so many bytes. */
  effects(bodyLimit?: number): Effects;
  /** Idempotency keys of one account under which more than one thing has happened. There must be none. */
  repeatedKeys(): string[];
  faults(): StoredFaultRule[];
  addFault(rule: FaultRule): StoredFaultRule;
  clearFaults(): number;
  /** Returns the new time. */
  advanceClock(ms: number): string;
  updateSettings(changes: Partial<Settings>): Settings;
  /** Those that are not the default. */
  changedSettings(): Partial<Settings>;
  /** Effects, keys, requests, faults, clock and settings. */
  reset(): void;
  /** The sandbox's time, ISO 8601. */
  now(): string;
  /** A number that grows with everything that is written: whoever polls need not read all of it again. */
  changes(): number;
}

/** A stand-in that knows its effects, or a real provider upstream, whose effects are its own business. */
export interface EffectSource<E> {
  effects(): E;
  repeatedKeys(): string[];
  reset(): void;
}

export interface ControlsDependencies {
  database: SandboxDatabase;
  clock: SandboxClock;
  settings: SettingsStore;
  rules: FaultRules;
  requests: RequestLog;
  stripe: EffectSource<Pick<Effects, 'charges' | 'refunds'>>;
  mail: EffectSource<Pick<Effects, 'emails'>>;
  /** Services that are forwarded to a real provider. */
  upstream: ReadonlySet<string>;
}

export function createControls(parts: ControlsDependencies): Controls {
  const { database, clock, settings, rules, requests, stripe, mail, upstream } = parts;
  const now = (): string => new Date(clock.now()).toISOString();
  const totalChanges = database.prepare('SELECT total_changes() AS n');
  return {
    now,
    changes: () => (totalChanges.all() as { n: number }[])[0]?.n ?? 0,
    effects: (bodyLimit) => ({ ...stripe.effects(), ...mail.effects(), requests: requests.list(bodyLimit) }),
    repeatedKeys: () => [...stripe.repeatedKeys(), ...mail.repeatedKeys()],
    faults: () => rules.list(),
    addFault(input) {
      const rule = faultRuleSchema.parse(input);
      const fault = faults[rule.fault];
      if (upstream.has(rule.service) && 'saves' in fault) {
        const reason = `${rule.fault} happens inside the service, and a real provider upstream cannot be told to do it`;
        throw new ControlError(400, reason, 'fault');
      }
      return rules.add(rule);
    },
    clearFaults: () => rules.clear(),
    advanceClock(ms) {
      clock.advance(ms);
      return now();
    },
    updateSettings: (changes) => settings.update(changes),
    changedSettings: () => settings.changed(),
    reset: () =>
      database.transaction(() => {
        for (const part of [stripe, mail, requests, clock, settings]) part.reset();
        rules.clear();
      })(),
  };
}
