/** Another plan was opened under this workflow id. */
export class PlanChanged extends Error {
  override readonly name = 'PlanChanged';
  constructor(id: string) {
    super(`The plan differs from the one recorded under workflow id "${id}"; use a new workflow id for a new plan`);
  }
}

/** The plan was undone: it never acts again. */
export class PlanClosed extends Error {
  override readonly name = 'PlanClosed';
  constructor(id: string) {
    super(`The plan under workflow id "${id}" was undone and never acts again; use a new workflow id`);
  }
}

/** The attempt woke up after its step was reported as not done: it may not do it now. */
export class AttemptTooLate extends Error {
  override readonly name = 'AttemptTooLate';
  constructor(key: string) {
    super(`This attempt comes too late: ${key} was reported as not done`);
  }
}
