import type Database from 'libsql';
import type { SandboxDatabase } from '../database.js';
import { invalidRequest, missing } from './errors.js';
import { optional } from './parameters.js';
import { positiveInteger, text, timeRange, type TimeRange } from './readers.js';
import type { ResourceType, ResourceTypes } from './resources.js';

/** https://docs.stripe.com/api/pagination */
export const defaultLimit = 10;
const maxLimit = 100;

export const pageParameters = {
  created: optional(timeRange),
  ending_before: optional(text()),
  limit: optional(positiveInteger),
  starting_after: optional(text()),
};

export interface PageQuery {
  created?: TimeRange | undefined;
  ending_before?: string | undefined;
  limit?: number | undefined;
  starting_after?: string | undefined;
}

/** Columns of `stripe_objects` that lists may be filtered by. */
type Filters = Partial<Record<'customer' | 'payment_intent' | 'charge' | 'email', string | undefined>>;

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** Reads lists of one account, newest first. A write is visible at once: only search lags. */
export interface Pages {
  read<T extends ResourceType>(type: T, url: string, query: PageQuery, filters?: Filters): List<ResourceTypes[T]>;
}

export function checkPage(query: PageQuery): void {
  checkLimit(query.limit);
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw invalidRequest('Received both starting_after and ending_before parameters. Please pass in only one.');
  }
}

export function checkLimit(limit = defaultLimit): number {
  if (limit <= maxLimit) return limit;
  throw invalidRequest(`This value must be less than or equal to ${maxLimit} (sent: ${limit}).`, {
    code: 'parameter_invalid_integer',
    param: 'limit',
  });
}

type Statement = Database.Statement<(string | number)[]>;

/** These filters must name an object that is there: an empty list would hide a wrong id. */
const references = ['payment_intent', 'charge'] as const;

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

export function createPages(database: SandboxDatabase): (account: string) => Pages {
  const sequenceOf = database.prepare('SELECT sequence FROM stripe_objects WHERE id = ? AND account = ? AND type = ?');

  // There are only so many combinations of filters.
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = prepared.get(sql) ?? database.prepare<(string | number)[]>(sql);
    prepared.set(sql, statement);
    return statement;
  };

  return (account) => ({
    read: (type, url, query, filters = {}) => {
      const limit = checkLimit(query.limit);
      const conditions = ['account = ?', 'type = ?'];
      const values: (string | number)[] = [account, type];
      const where = (condition: string, value: string | number | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        values.push(value);
      };
      const cursor = (param: 'starting_after' | 'ending_before', operator: '<' | '>'): void => {
        const id = query[param];
        if (id === undefined) return;
        const [row] = sequenceOf.all(id, account, type) as { sequence: number }[];
        if (!row) throw missing(type, id, param, 400);
        where(`sequence ${operator} ?`, row.sequence);
      };
      for (const kind of references) {
        const id = filters[kind];
        if (id !== undefined && sequenceOf.all(id, account, kind).length === 0) throw missing(kind, id, kind, 404);
      }
      for (const [column, value] of Object.entries(filters)) where(`${column} = ?`, value);
      for (const [name, operator] of Object.entries(operators)) {
        where(`created ${operator} ?`, query.created?.[name as keyof TimeRange]);
      }
      cursor('starting_after', '<');
      cursor('ending_before', '>');

      // Backwards from a cursor means the items next to it, so these are read oldest first and turned round.
      const backwards = query.ending_before !== undefined;
      const order = backwards ? 'ASC' : 'DESC';
      const sql = `SELECT json FROM stripe_objects WHERE ${conditions.join(' AND ')} ORDER BY sequence ${order} LIMIT ?`;
      const rows = prepare(sql).all(...values, limit + 1) as { json: string }[];
      const data = rows.slice(0, limit).map(({ json }) => JSON.parse(json) as ResourceTypes[typeof type]);
      return { object: 'list', data: backwards ? data.reverse() : data, has_more: rows.length > limit, url };
    },
  });
}
