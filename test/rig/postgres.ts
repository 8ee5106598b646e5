import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The server that `npm run test:postgres` started; without one the tests keep their ledgers in SQLite files. */
export const testPostgresUrl = process.env['TEST_POSTGRES_URL'];

export interface TestDatabase {
  url: string;
  execute(sql: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Makes an empty database on the server of `serverUrl`. */
export async function createDatabase(serverUrl = testPostgresUrl): Promise<TestDatabase> {
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set: run the tests with "npm run test:postgres"');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await execute(serverUrl, `CREATE DATABASE ${name}`);
  return {
    url: url.href,
    execute: (sql) => execute(url.href, sql),
    async drop() {
      await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
