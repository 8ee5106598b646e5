import type { TestContext } from 'vitest';
import { type Rig, type RigOptions, startRig } from './rig.js';

/** A rig for one test, closed (and its histories replayed) when the test is over. */
export async function withRig({ onTestFinished }: TestContext, options?: RigOptions): Promise<Rig> {
  const rig = await startRig(options);
  onTestFinished(() => rig.close());
  return rig;
}
