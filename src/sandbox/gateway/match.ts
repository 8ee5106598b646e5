/** Does `POST /v1/payment_intents/pi_1` match `POST /v1/payment_intents/*`? `*` stands for exactly one path segment. */
export function matches(pattern: string, method: string, path: string): boolean {
  const [wantedMethod, wantedPath = ''] = pattern.split(' ');
  if (wantedMethod !== method) return false;
  const wanted = wantedPath.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, i) => (segment === '*' ? given[i] !== '' : segment === given[i]))
  );
}
