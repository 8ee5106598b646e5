/** Something was set going, and it cannot be told here what it came to: exit code 3, and never "refused". */
export class LostSight extends Error {
  override readonly name = 'LostSight';
}
