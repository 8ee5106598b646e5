import type { Ledger } from '../../src/ledger/ledger.js';
import type { LedgerMethods } from './memory-ledger.js';

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Does everything in both ledgers, and says where they differ: the one in memory is worth what this finds. */
export function mirrored(memory: LedgerMethods, real: () => Promise<Ledger>, differences: string[]): LedgerMethods {
  const told = async (call: Promise<unknown> | undefined): Promise<string> => {
    try {
      // libsql adds a column of its own to single rows.
      const answer = { answer: await call };
      return JSON.stringify(answer, (name, value: unknown) => (name === '_metadata' ? undefined : value));
    } catch (error) {
      return error instanceof Error ? error.name : String(error);
    }
  };
  return new Proxy(
    {},
    {
      get:
        (_, method: string) =>
        async (...args: unknown[]) => {
          const answer = (memory as unknown as Methods)[method]?.(...args);
          const [one, other] = [
            await told(answer),
            await told(((await real()) as unknown as Methods)[method]?.(...args)),
          ];
          if (sorted(one) !== sorted(other)) differences.push(`${method}: ${one} in memory, ${other} in the database`);
          return answer;
        },
    },
  ) as LedgerMethods;
}

/** The columns' order means nothing. */
const sorted = (json: string): string => json.replace(/[{}]/g, '').split(',').sort().join();
