/** Something the user has to put right. The message is one line and says what to do; no stack trace is needed. */
export class TemporalProblem extends Error {
  override name = 'TemporalProblem';
}
