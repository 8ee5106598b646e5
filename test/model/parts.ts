import type { Answer } from '../../src/activities/answer.js';
import type { Sent } from './activities.js';
import type { Found } from './provider.js';
import type { Task } from './task.js';

/** An attempt of an activity, and the worker that runs it. */
export interface Attempt {
  task: Task;
  activity: Activity;
  /** How far its worker's clock is ahead, in ms. */
  ahead: number;
}

export interface Activity {
  name: string;
  input: unknown;
  attempts: number;
  /** Undefined when Temporal waits for it no more. */
  current: Attempt | undefined;
}

export interface Request extends Sent {
  /** Undefined when nobody waits for the answer. */
  by: Attempt | undefined;
  state: 'travels' | 'works' | 'answered';
  answer?: Answer<Found>;
}
