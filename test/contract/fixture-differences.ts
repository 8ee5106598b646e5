/** Where an object's names differ from those of Stripe's example of it, and why. */
export const differences: Record<string, Record<string, string>> = {
  payment_intent: {
    'extra payment_method_options.card': 'the example has no card; real answers and the specification have it',
  },
  charge: {
    'extra outcome.risk_level': 'the example leaves it out; recorded answers and the specification have it',
  },
};
