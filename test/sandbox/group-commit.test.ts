import { expect, test } from 'vitest';
import { openDatabase, type SandboxDatabase } from '../../src/sandbox/database.js';
import { createGroupCommit } from '../../src/sandbox/group-commit.js';

function openTable(): { database: SandboxDatabase; add: (name: string) => void; names: () => string[] } {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE names (name TEXT)');
  const insert = database.prepare('INSERT INTO names VALUES (?)');
  const select = database.prepare('SELECT name FROM names');
  return {
    database,
    add: (name) => void insert.run(name),
    names: () => (select.all() as { name: string }[]).map(({ name }) => name),
  };
}

test('work that throws takes back its own writes and nobody else’s', async () => {
  const { database, add, names } = openTable();
  const commit = createGroupCommit(database);
  const outcomes = await Promise.allSettled([
    commit(() => add('first')),
    commit(() => {
      add('second');
      throw new Error('no');
    }),
    commit(() => {
      add('third');
      return 3;
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[2]).toMatchObject({ value: 3 });
  expect(names()).toEqual(['first', 'third']);
});

test('nobody is told of success when the commit itself fails', async () => {
  const { database, add, names } = openTable();
  const commit = createGroupCommit(database);
  const outcomes = await Promise.allSettled([
    commit(() => add('first')),
    // Ends the transaction behind the group's back, so that its COMMIT has nothing to commit.
    commit(() => database.exec('ROLLBACK')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(names()).toEqual([]);
});

test('work that comes while a group commits waits for the next', async () => {
  const { database, add, names } = openTable();
  const commit = createGroupCommit(database);
  let later: Promise<void> | undefined;
  await commit(() => {
    later = commit(() => add('later'));
    add('now');
  });
  expect(names()).toEqual(['now']);
  await later;
  expect(names()).toEqual(['now', 'later']);
});
