import type { SandboxDatabase } from '../database.js';
import { defaultLimit, type List } from './pages.js';
import type { Refund, Resource, ResourceType, ResourceTypes } from './resources.js';

/**
 * Every object of every account, one row each: the JSON that is served, and columns for what is looked up by.
 * `due_ms` is when something happens to the object by itself (a pending refund succeeds, a hold ends). `stripe_past` holds what
 * objects were before they changed, because search goes on seeing that for a while.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS stripe_objects (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    type TEXT NOT NULL,
    created INTEGER NOT NULL,
    customer TEXT,
    payment_intent TEXT,
    charge TEXT,
    email TEXT,
    key TEXT,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    due_ms INTEGER,
    json TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS stripe_objects_newest ON stripe_objects (account, type, sequence);
  CREATE INDEX IF NOT EXISTS stripe_objects_created ON stripe_objects (account, type, created);
  CREATE INDEX IF NOT EXISTS stripe_objects_customer ON stripe_objects (customer) WHERE customer IS NOT NULL;
  CREATE INDEX IF NOT EXISTS stripe_objects_intent ON stripe_objects (payment_intent) WHERE payment_intent IS NOT NULL;
  CREATE INDEX IF NOT EXISTS stripe_objects_charge ON stripe_objects (charge) WHERE charge IS NOT NULL;
  CREATE INDEX IF NOT EXISTS stripe_objects_email ON stripe_objects (email) WHERE email IS NOT NULL;
  CREATE INDEX IF NOT EXISTS stripe_objects_due ON stripe_objects (due_ms) WHERE due_ms IS NOT NULL;
  CREATE INDEX IF NOT EXISTS stripe_objects_payment_method ON stripe_objects (json_extract(json, '$.payment_method'))
    WHERE type = 'charge';
  CREATE TABLE IF NOT EXISTS stripe_past (
    id TEXT NOT NULL,
    from_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS stripe_past_id ON stripe_past (id, from_ms);
`;

/** Whose request it is, under which key, and when: what is written down with an object. */
export interface Origin {
  account: string;
  key: string | null;
  now: number;
}

/** One account's objects, as one request sees and changes them. */
export interface Records {
  find<T extends ResourceType>(type: T, id: string): ResourceTypes[T] | undefined;
  /** Newest first, as many as a list shows that nobody asked to be longer. */
  refundsOf(charge: string): List<Refund>;
  /** Whether there was an attempt to charge this PaymentMethod. */
  isUsed(paymentMethod: string): boolean;
  insert(object: Resource, dueAt?: number): void;
  replace(object: Resource): void;
  /** Takes the object out of lists and of reach; `find` no longer knows it. */
  remove(type: ResourceType, id: string, stub: object): void;
  findRemoved(type: ResourceType, id: string): object | undefined;
}

export function createRecords(database: SandboxDatabase): (origin: Origin) => Records {
  database.exec(schema);
  const select = database.prepare('SELECT json FROM stripe_objects WHERE id = ? AND account = ? AND type = ?');
  const refunds = database.prepare(
    "SELECT json FROM stripe_objects WHERE charge = ? AND account = ? AND type = 'refund' ORDER BY sequence DESC LIMIT ?",
  );
  const used = database.prepare(`
    SELECT 1 FROM stripe_objects
    WHERE json_extract(json, '$.payment_method') = ? AND type = 'charge' AND account = ? LIMIT 1`);
  const insert = database.prepare(`
    INSERT INTO stripe_objects
      (id, account, type, created, customer, payment_intent, charge, email, key, made_ms, changed_ms, due_ms, json)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const remember = database.prepare(`
    INSERT INTO stripe_past (id, from_ms, until_ms, json)
    SELECT id, changed_ms, ?, json FROM stripe_objects WHERE id = ?`);
  const update = database.prepare(
    'UPDATE stripe_objects SET customer = ?, email = ?, changed_ms = ?, due_ms = NULL, json = ? WHERE id = ?',
  );
  const remove = database.prepare('UPDATE stripe_objects SET type = ?, json = ? WHERE id = ? AND account = ?');

  return ({ account, key, now }) => {
    const read = (type: string, id: string): unknown => {
      const [row] = select.all(id, account, type) as { json: string }[];
      return row && JSON.parse(row.json);
    };
    return {
      find: <T extends ResourceType>(type: T, id: string) => read(type, id) as ResourceTypes[T] | undefined,
      refundsOf: (charge) => {
        const rows = refunds.all(charge, account, defaultLimit + 1) as { json: string }[];
        const data = rows.slice(0, defaultLimit).map(({ json }) => JSON.parse(json) as Refund);
        return { object: 'list', data, has_more: rows.length > data.length, url: `/v1/charges/${charge}/refunds` };
      },
      isUsed: (paymentMethod) => used.all(paymentMethod, account).length > 0,
      insert: (object, dueAt) => {
        const { customer, payment_intent, charge, email } = columnsOf(object);
        const links = [customer, payment_intent, charge, email];
        const times = [now, now, dueAt ?? null];
        insert.run(object.id, account, object.object, object.created, ...links, key, ...times, JSON.stringify(object));
      },
      replace: (object) => {
        const { customer, email } = columnsOf(object);
        if (object.object === 'payment_intent') remember.run(now, object.id);
        update.run(customer, email, now, JSON.stringify(object), object.id);
      },
      remove: (type, id, stub) => void remove.run(removed(type), JSON.stringify(stub), id, account),
      findRemoved: (type, id) => read(removed(type), id) as object | undefined,
    };
  };
}

const removed = (type: ResourceType): string => `deleted_${type}`;

interface Columns {
  customer: string | null;
  payment_intent: string | null;
  charge: string | null;
  email: string | null;
}

function columnsOf(object: Resource): Columns {
  return { customer: null, payment_intent: null, charge: null, email: null, ...linksOf(object) };
}

function linksOf(object: Resource): Partial<Columns> {
  switch (object.object) {
    case 'payment_intent':
    case 'payment_method':
      return { customer: object.customer };
    case 'charge':
      return { customer: object.customer, payment_intent: object.payment_intent };
    case 'refund':
      return { customer: object.customer, payment_intent: object.payment_intent, charge: object.charge };
    case 'customer':
      return { email: object.email };
  }
}
