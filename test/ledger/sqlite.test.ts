import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.js';
import { claimOf, mayBegin, plan, planFingerprint } from './claims.js';
import { ledgerContract } from './contract.js';
import { createSqliteStore, temporaryFolder } from './sqlite-store.js';

ledgerContract('the ledger in a SQLite file', () => Promise.resolve(createSqliteStore()));

describe('the URL of a SQLite ledger', () => {
  it('may be a path or a file URL; the folder is made', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'a b', 'ledger.db');
    for (const url of [`file:${file}`, pathToFileURL(file).href]) {
      const ledger = await openLedger(url);
      await ledger.openPlan(plan, planFingerprint);
      await ledger.claim(claimOf(), mayBegin);
      await ledger.close();
    }
    expect(existsSync(file)).toBe(true);
    const ledger = await openLedger(`file:${file}`);
    expect(await ledger.find(claimOf().key)).toMatchObject({ asks: 2 });
    await ledger.close();
  });

  it('that cannot be opened is named, with the reason', async () => {
    const folder = temporaryFolder();
    const noDatabase = join(folder, 'notes.txt');
    writeFileSync(noDatabase, 'This is a text, and no database. '.repeat(100));
    mkdirSync(join(folder, 'folder'));
    for (const path of [join(noDatabase, 'ledger.db'), join(folder, 'folder'), noDatabase]) {
      await expect(openLedger(`file:${path}`)).rejects.toThrow(`Cannot open the ledger ${path}: `);
    }
  });
});
