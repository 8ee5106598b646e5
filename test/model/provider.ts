import type { Answer, Failure, Finding } from '../../src/activities/answer.js';
import type { LookWindow } from '../../src/activities/look.js';

export interface Found {
  id: string;
}

export type EffectKind = 'charge' | 'refund' | 'email';

export interface Effect {
  id: string;
  kind: EffectKind;
  /** The key in its metadata. */
  name: string;
  status: 'succeeded' | 'processing' | 'declined';
  /** ms, by the provider's clock. */
  at: number;
}

/** What the provider makes of a request whose key it does not know. */
export const courses = [
  'done',
  /** A card's no: nothing happens, and the key remembers it. */
  'declined',
  /** A 400 in the provider's own words: nothing happens, and the key is as free as before. */
  'refused',
  /** A 429. */
  'not now',
  /** Nothing happens; a 500 is the key's answer from now on. */
  'stores a 500',
  /** It happens; a 500 is the key's answer from now on. */
  'done, but stores a 500',
  /** Accepted; what comes of it is seen later. */
  'processing',
] as const;
export type Course = (typeof courses)[number];

/** As documented by Stripe and Resend. */
const memory = 24 * 3_600_000;

interface Order {
  /** The idempotency key. */
  key: string;
  /** The key in its metadata. */
  name: string;
  kind: EffectKind;
}

interface Key {
  at: number;
  /** Absent while the first request is at work. */
  answer?: Answer<Found>;
}

/** A provider with idempotency keys, as far as a caller can tell it from the real ones. */
export class Provider {
  readonly keys = new Map<string, Key>();
  readonly effects: Effect[] = [];

  constructor(
    private readonly now: () => number,
    private readonly ignoresKeys: boolean,
  ) {}

  /** The stored answer, or 409 while the first request is at work, or undefined: a new operation. */
  known(key: string): Answer<Found> | undefined {
    const stored = this.ignoresKeys || key === '' ? undefined : this.keys.get(key);
    if (!stored || stored.at + memory <= this.now()) return undefined;
    if (!stored.answer) return failure('not_now', 'the key is in use');
    return again(stored.answer);
  }

  /** From now on the key is in use. */
  begin(key: string): void {
    this.keys.set(key, { at: this.now() });
  }

  /** Executes a request under a key that is new, or that it began with. */
  execute({ key, name, kind }: Order, course: Course): Answer<Found> {
    const answer = this.act(name, kind, course);
    if (answer.kind === 'not_now' || answer.kind === 'refused') this.keys.delete(key);
    else this.keys.set(key, { at: this.now(), answer });
    return answer;
  }

  /** What became of an accepted effect. */
  clear(effect: Effect, status: 'succeeded' | 'declined'): void {
    effect.status = status;
  }

  read(id: string): Answer<Found> {
    const effect = this.effects.find((one) => one.id === id);
    return effect ? told(effect, false) : failure('refused', 'no such object');
  }

  /** The list, which shows an effect as soon as it is there; what weighs most counts. */
  look(name: string, { gte, lte }: LookWindow): Finding<Found> {
    const weights = ['declined', 'processing', 'succeeded'];
    const [best] = this.effects
      .filter((effect) => effect.name === name && within(effect.at / 1000, gte, lte))
      .sort((one, other) => weights.indexOf(other.status) - weights.indexOf(one.status));
    return best ? told(best, true) : { kind: 'absent' };
  }

  private act(name: string, kind: EffectKind, course: Course): Answer<Found> {
    switch (course) {
      case 'done':
        // All was given back before; the product takes this refusal for a success, as its refund operation does.
        if (kind === 'refund' && this.successful('refund').length >= this.successful('charge').length)
          return nothingLeft;
        return told(this.create(name, kind, 'succeeded'), false);
      case 'declined':
        return told(this.create(name, kind, 'declined'), false);
      case 'processing':
        return told(this.create(name, kind, 'processing'), false);
      case 'done, but stores a 500':
        this.create(name, kind, 'succeeded');
        return failure('ambiguous', 'a 500');
      case 'stores a 500':
        return failure('ambiguous', 'a 500');
      case 'refused':
        return failure('refused', 'refused');
      case 'not now':
        return failure('not_now', 'too many requests');
    }
  }

  successful(kind: EffectKind): Effect[] {
    return this.effects.filter((effect) => effect.kind === kind && effect.status === 'succeeded');
  }

  private create(name: string, kind: EffectKind, status: Effect['status']): Effect {
    const effect: Effect = { id: `${kind}_${this.effects.length + 1}`, kind, name, status, at: this.now() };
    this.effects.push(effect);
    return effect;
  }
}

export const failure = (kind: Failure['kind'], message: string): Failure => ({
  ...{ kind, error: { type: 'model', message }, replayed: false },
});

const nothingLeft: Answer<Found> = {
  ...{ kind: 'succeeded', result: { id: '' }, reference: 'nothing was left', replayed: false },
};

function told({ id, status }: Effect, replayed: boolean): Answer<Found> {
  switch (status) {
    case 'succeeded':
      return { kind: 'succeeded', result: { id }, reference: id, replayed };
    case 'processing':
      return { kind: 'not_final', reference: id, error: { type: 'model', message: `${id} is being processed` } };
    case 'declined':
      return { ...failure('declined', `${id} was declined`), replayed };
  }
}

/** A stored answer given again; a stored 500 is known for one. */
function again(answer: Answer<Found>): Answer<Found> {
  if (answer.kind === 'ambiguous') return { ...answer, kind: 'stuck', replayed: true };
  return answer.kind === 'not_final' ? answer : { ...answer, replayed: true };
}

const within = (value: number, from: number, to: number): boolean => value >= from && value <= to;
