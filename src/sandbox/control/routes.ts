import { faultRuleSchema } from '../gateway/fault-rule.js';
import type { Controls } from '../controls.js';
import { overviewOf, shownBytes } from '../overview.js';
import { clockSchema, parseInput, settingsSchema } from './input.js';
import { pageRoutes } from './page.js';

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

export type Route = (body: string) => Reply | Promise<Reply>;

/** The HTTP face of the controls: design and README describe these calls. */
export function controlRoutes(controls: Controls): Record<string, Route> {
  return {
    ...pageRoutes(),
    'GET /health': () => ({ body: { ok: true, changes: controls.changes() } }),
    'GET /overview': () => ({
      body: {
        now: controls.now(),
        settings: controls.changedSettings(),
        faults: controls.faults(),
        ...overviewOf(controls.effects(shownBytes + 1), controls.repeatedKeys()),
      },
    }),
    'GET /effects': () => ({ body: controls.effects() }),
    'GET /faults': () => ({ body: controls.faults() }),
    'POST /faults': (body) => ({ status: 201, body: controls.addFault(parseInput(faultRuleSchema, body)) }),
    'DELETE /faults': () => ({ body: { cleared: controls.clearFaults() } }),
    'POST /clock': (body) => ({ body: { now: controls.advanceClock(parseInput(clockSchema, body).advance) } }),
    'POST /settings': (body) => {
      const { searchLagMs, ...others } = controls.updateSettings(parseInput(settingsSchema, body));
      return { body: { ...others, searchLag: `${searchLagMs}ms` } };
    },
    'POST /reset': () => {
      controls.reset();
      return { body: { ok: true } };
    },
  };
}
