import { expect, test } from 'vitest';
import { commonConfig, workerConfig } from '../src/config.js';

const environment = { RESEND_API_KEY: 're_test', STRIPE_SECRET_KEY: 'sk_test_x' };

test.each(['sk_live_x1y2z3', 'rk_live_x1y2z3', 'pk_test_x1y2z3', 'pk_live_x1y2z3', 'x1y2z3', ''])(
  'the Stripe key "%s" is refused, and not repeated',
  (key) => {
    const read = (): unknown => workerConfig({ ...environment, STRIPE_SECRET_KEY: key });
    expect(read).toThrow(/STRIPE_SECRET_KEY: must be a test mode secret key/);
    expect(read).not.toThrow('x1y2z3');
  },
);

test.each(['sk_test_x', 'rk_test_x'])('the Stripe key "%s" is taken', (secretKey) => {
  expect(workerConfig({ ...environment, STRIPE_SECRET_KEY: secretKey }).stripe).toEqual({ secretKey });
});

test.each(['ledger.db', 'mysql://worker:S3cret@host/ledger', 'postgres://', 'file:'])(
  'the ledger "%s" is refused, and not repeated',
  (url) => {
    const read = (): unknown => commonConfig({ LEDGER_URL: url });
    expect(read).toThrow('LEDGER_URL: must begin with file: or postgres://');
    expect(read).not.toThrow('S3cret');
  },
);
