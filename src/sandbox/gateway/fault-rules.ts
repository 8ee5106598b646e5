import type { SandboxDatabase } from '../database.js';
import { chance } from './chance.js';
import type { ServiceName, StoredFaultRule } from './fault-rule.js';
import { matches } from './match.js';

/** A request as far as the rules look at it. `nth` tells the how-manieth request with this identity it is. */
export interface Arrival {
  service: ServiceName;
  method: string;
  path: string;
  key: string | null;
  nth: () => number;
}

export interface FaultRules {
  add(rule: Omit<StoredFaultRule, 'id' | 'seen' | 'used'>): StoredFaultRule;
  list(): StoredFaultRule[];
  clear(): number;
  /** The rule that hits this request, and counts it. The caller holds the transaction. */
  choose(arrival: Arrival): StoredFaultRule | undefined;
}

/** The rules and their counts live in the database: a sandbox that is killed goes on with the script it was given. */
export function createFaultRules(database: SandboxDatabase): FaultRules {
  database.exec(`CREATE TABLE IF NOT EXISTS fault_rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, seen INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0)`);
  const insert = database.prepare('INSERT INTO fault_rules (rule) VALUES (?)');
  const select = database.prepare('SELECT id, rule, seen, used FROM fault_rules ORDER BY id');
  const see = database.prepare('UPDATE fault_rules SET seen = seen + 1 WHERE id = ?');
  const use = database.prepare('UPDATE fault_rules SET used = used + 1 WHERE id = ?');

  const list = (): StoredFaultRule[] =>
    (select.all() as { id: number; rule: string; seen: number; used: number }[]).map(({ id, rule, seen, used }) => ({
      id,
      ...(JSON.parse(rule) as Omit<StoredFaultRule, 'id' | 'seen' | 'used'>),
      seen,
      used,
    }));

  return {
    add(rule) {
      const id = Number(insert.run(JSON.stringify(rule)).lastInsertRowid);
      return { id, ...rule, seen: 0, used: 0 };
    },
    list,
    clear: () => database.prepare('DELETE FROM fault_rules').run().changes,
    choose(arrival) {
      for (const rule of list()) {
        const spent = rule.times !== 'always' && rule.used >= rule.times;
        if (spent || rule.service !== arrival.service || !matches(rule.match, arrival.method, arrival.path)) continue;
        see.run(rule.id);
        if (rule.seen < rule.skip || !hits(rule, arrival)) continue;
        use.run(rule.id);
        return rule;
      }
      return undefined;
    },
  };
}

function hits(rule: StoredFaultRule, { key, method, path, nth }: Arrival): boolean {
  if (rule.probability === 1) return true;
  // A request without a key has no identity of its own: its method and path stand in.
  return chance(rule.seed, rule.fault, key ?? `${method} ${path}`, nth()) < rule.probability;
}
