import { ledgerContract } from './contract.js';
import { createPostgresStore } from './postgres-store.js';

ledgerContract('the ledger in PostgreSQL', () => createPostgresStore());
