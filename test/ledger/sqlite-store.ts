import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.js';
import { openLedger } from '../../src/ledger/open-ledger.js';
import type { Store } from './contract.js';

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function createSqliteStore(): Store & { url: string; file: string } {
  const file = join(temporaryFolder(), 'data', 'ledger.db');
  const url = `file:${file}`;
  return {
    file,
    url,
    async open(now = Date.now): Promise<Ledger> {
      const ledger = await openLedger(url, now);
      onTestFinished(() => ledger.close());
      return ledger;
    },
    execute(sql): Promise<void> {
      const database = new Database(file);
      database.exec(sql);
      database.close();
      return Promise.resolve();
    },
  };
}
