import { openDatabase } from '../../src/sandbox/database.js';

/** What this disk gives a program that does nothing but commit one row after the other, as durably as the sandbox. */
export function openBareLoop(file: string): { run(ms: number): number; close(): void } {
  const database = openDatabase(file);
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');
  return {
    run(ms) {
      const start = performance.now();
      let commits = 0;
      for (; performance.now() < start + ms; commits += 1) insert.run('one row');
      return (commits * 1000) / (performance.now() - start);
    },
    close: () => database.close(),
  };
}
