import { createHash } from 'node:crypto';

const bytes = 6; // 48 bits: as many as a double holds exactly
const range = 2 ** (8 * bytes);

/**
 * A stream of choices that depends on nothing but its name: each plan, and each kind of mischief, has its own, so that
 * one more choice in one place changes nothing in another.
 */
export class Random {
  private drawn = 0;
  private readonly name: string;

  constructor(...name: (string | number)[]) {
    this.name = JSON.stringify(name);
  }

  /** In [0, 1). */
  next(): number {
    const hash = createHash('sha256').update(`${this.name}#${this.drawn++}`).digest();
    return hash.readUIntBE(0, bytes) / range;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** An integer, both ends included. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }

  /** Picks a name by its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return (entries.at(-1) as [Name, number])[0];
  }
}
