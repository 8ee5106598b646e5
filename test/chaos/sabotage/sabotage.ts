import { randomUUID } from 'node:crypto';
import type { ActivityDeps } from '../../../src/activities/activities.js';
import { changeKeys } from './keys.js';
import type { SabotageName } from './names.js';
import { forgetful } from './no-ledger.js';
import { hasty } from './settle-first.js';

/** What `runWorker` is given to break the activities in one way. */
export const sabotageOf: Record<SabotageName, (deps: ActivityDeps) => ActivityDeps> = {
  uuid: (deps) => changeKeys(deps, randomUUID),
  'no-key': (deps) => changeKeys(deps, () => undefined),
  'no-ledger': (deps) => ({ ...deps, ledger: forgetful(deps.ledger) }),
  'settle-first': (deps) => ({ ...deps, ledger: hasty(deps.ledger) }),
};
