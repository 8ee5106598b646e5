import { expect, test } from 'vitest';
import { chargeForm, startRig } from './rig.js';

const intents = '/v1/payment_intents';

test.each([
  [`${chargeForm}&wat=1`, 'parameter_unknown', 'wat', 'Received unknown parameter: wat'],
  [
    `${chargeForm}&costumer=x`,
    'parameter_unknown',
    'costumer',
    'Received unknown parameter: costumer. Did you mean customer?',
  ],
  [`${chargeForm}&wat=1&nope[a]=2`, 'parameter_unknown', 'wat', 'Received unknown parameters: wat, nope'],
  [
    `${chargeForm}&shipping[nope]=1&shipping[wat]=1`,
    'parameter_unknown',
    'shipping[nope]',
    'Received unknown parameters: shipping[nope], shipping[wat]',
  ],
  [
    `${chargeForm}&shipping[nope]=1`,
    'parameter_unknown',
    'shipping[nope]',
    'Received unknown parameter: shipping[nope]',
  ],
  [`${chargeForm}&constructor=1`, 'parameter_unknown', 'constructor', 'Received unknown parameter: constructor'],
  ['currency=usd', 'parameter_missing', 'amount', 'Missing required param: amount.'],
  ['', 'parameter_missing', 'amount', 'Missing required param: amount.'],
  ['amount=100', 'parameter_missing', 'currency', 'Missing required param: currency.'],
  [
    'amount=100&currency=usd&shipping[name]=a',
    'parameter_missing',
    'shipping[address]',
    'Missing required param: shipping[address].',
  ],
  ['amount=abc&currency=usd', 'parameter_invalid_integer', 'amount', 'Invalid integer: abc'],
  ['amount[]=5&currency=usd', 'parameter_invalid_integer', 'amount', 'Invalid integer'],
  ['amount=5&amount[a]=5&currency=usd', undefined, 'amount', 'amount[a] is given twice'],
  ['amount=&currency=usd', 'parameter_invalid_empty', 'amount', "You passed an empty string for 'amount'."],
  [
    'amount=100&currency=usd&customer=',
    'parameter_invalid_empty',
    'customer',
    "You passed an empty string for 'customer'.",
  ],
  ['amount=100&currency=usd&confirm=yes', undefined, 'confirm', 'Invalid boolean: yes'],
  [
    'amount=100&currency=usd&capture_method=x',
    undefined,
    'capture_method',
    'Invalid capture_method: must be one of automatic, automatic_async, manual',
  ],
  ['amount=100&currency=usd&payment_method_types=card', undefined, 'payment_method_types', 'Invalid array'],
  [
    'amount=100&currency=usd&statement_descriptor=aaaaaaaaaaaaaaaaaaaaaaa',
    'parameter_invalid_string',
    'statement_descriptor',
    'at most 22 characters',
  ],
  [`${chargeForm}&receipt_email=nonsense`, 'email_invalid', 'receipt_email', 'Invalid email address: nonsense'],
  [`${chargeForm}&return_url=nonsense`, 'url_invalid', 'return_url', 'Not a valid URL'],
  [`${chargeForm}&setup_future_usage=off_session`, undefined, 'setup_future_usage', 'does not model'],
  ['amount=100&currency=usd&transfer_data[destination]=a', undefined, 'transfer_data', 'does not model'],
])('parameters: %s', async (form, code, param, message) => {
  const { send, service, answers } = await startRig();
  const { status, json } = await send('POST', intents, form, { 'Idempotency-Key': 'k' });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', param });
  expect(json.error?.code).toBe(code);
  expect(json.error?.message).toContain(message);
  expect(answers).toEqual(['rejected']);
  expect(service.effects().charges).toEqual([]);
});

test.each([
  ['too many parameters, each of them valid', Array.from({ length: 1001 }, () => 'description=a').join('&')],
  ['too many parameters', Array.from({ length: 5000 }, (_, index) => `metadata[a${index}]=x`).join('&')],
  ['too deep', `metadata${'[a]'.repeat(10_000)}=1`],
  ['a NUL byte in a value', 'description=a%00b'],
  ['a NUL byte in a name', 'metadata[a%00b]=x'],
  ['brackets that do not close', 'metadata[=x&[=y&]=z'],
  ['a megabyte in one value', `description=${'x'.repeat(1_000_000)}`],
])('hostile: %s gets a clean 400, and the service lives', async (_what, form) => {
  const { send, service } = await startRig();
  const answer = await send('POST', intents, `${chargeForm}&${form}`);
  expect(answer).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } });
  expect(service.effects().charges).toEqual([]);
  expect((await send('POST', intents, chargeForm)).status).toBe(200);
});

test('parameters below the deepest level are refused as such, not read as something else', async () => {
  const { send } = await startRig();
  const { json } = await send('POST', intents, `${chargeForm}&metadata${'[a]'.repeat(11)}=1`);
  expect(json.error?.message).toContain('depth exceeded');
});

test.each([
  ['broken escapes', 'description=%zz%', '%zz%'],
  ['bytes that are no UTF-8', 'description=%ff', '%ff'],
  ['a plus sign', 'description=a+b%2B', 'a b+'],
  ['an emoji', 'description=%F0%9F%98%80', '😀'],
  ['empty parameters', '&&description=x&&', 'x'],
  ['the last of two', 'description=a&description=b', 'b'],
])('text: %s', async (_what, form, description) => {
  const { send } = await startRig();
  expect((await send('POST', intents, `${chargeForm}&${form}`)).json).toMatchObject({ description });
});

test.each([
  ['with their places', Array.from({ length: 900 }, (_, index) => `payment_method_types[${index}]=card`)],
  ['without', Array.from({ length: 900 }, () => 'payment_method_types[]=card')],
])('a list may have as many items as there may be parameters, %s', async (_what, items) => {
  const { send } = await startRig();
  const { json } = await send('POST', intents, `amount=100&currency=usd&${items.join('&')}`);
  expect(json).toMatchObject({ payment_method_types: Array.from({ length: 900 }, () => 'card') });
});

test.each([
  ['something after the brackets', 'metadata[order]_id=5'],
  ['something after the brackets, with another value', 'metadata[a]junk=1'],
  ['something between them', 'shipping[address]x[city]=a'],
  ['brackets inside brackets', 'metadata[a[b]]=1'],
  ['brackets that do not close', 'metadata[a=1'],
  ['a list whose brackets do not close', 'preferred_locales[=a'],
  ['brackets that do not open', 'metadata]=1'],
  ['no name before the brackets', '[a]=1'],
  ['no name at all', '=x'],
  ['an entry of metadata without a name', 'metadata[]=x'],
  ['text, then an object', 'metadata=&metadata[a]=1'],
  ['an object, then text', 'metadata[a]=1&metadata='],
  ['text, then an object further down', 'shipping[address]=a&shipping[address][city]=b'],
  ['items with and without their places', 'preferred_locales[0]=a&preferred_locales[]=b'],
  ['items without and with their places', 'preferred_locales[]=a&preferred_locales[1]=b'],
  ['text and a list', 'preferred_locales=a&preferred_locales[]=b'],
])('what has no place among the parameters is refused, and never taken for less: %s', async (_what, form) => {
  const { send, answers } = await startRig();
  const key = { 'Idempotency-Key': 'k' };
  expect((await send('POST', '/v1/customers', form, key)).status).toBe(400);
  expect((await send('POST', '/v1/customers', 'name=Ada', key)).status).toBe(200);
  const again = await send('POST', '/v1/customers', `name=Ada&${form}`, key);
  expect(again).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } });
  expect(answers).toEqual(['rejected', 'executed', 'rejected']);
});

test('parameters may stand in the query', async () => {
  const { send } = await startRig();
  expect((await send('POST', `${intents}?amount=100`, 'currency=usd')).json.amount).toBe(100);
});

test('JSON is not what v1 speaks', async () => {
  const { send } = await startRig();
  const answer = await send('POST', intents, '{"amount":100}', { 'Content-Type': 'application/json' });
  expect(answer.status).toBe(400);
  expect(answer.json.error?.message).toContain('application/x-www-form-urlencoded');
});

test.each(['Application/X-WWW-Form-URLencoded', 'APPLICATION/x-www-form-urlencoded; charset=UTF-8'])(
  'a media type has no case: %s',
  async (type) => {
    const { send } = await startRig();
    expect((await send('POST', intents, chargeForm, { 'Content-Type': type })).status).toBe(200);
  },
);

test.each([
  ['POST', `${intents}/`],
  ['GET', `${intents}/`],
  ['GET', '/v1/charges/'],
])('nothing after the slash: %s %s', async (method, path) => {
  const { send } = await startRig();
  const { status, json } = await send(method, path);
  expect(status).toBe(404);
  expect(json.error?.message).toBe(
    `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove the trailing slash. If you are trying to retrieve an object, make sure you passed a valid (non-empty) identifier in your code. Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  );
});

test.each([
  ['POST', '/v1/payment_intent'],
  ['PUT', intents],
  ['DELETE', `${intents}/pi_x`],
  ['GET', '/v1/'],
  ['GET', '/v1/payment_intents/a/b'],
])('no such URL: %s %s', async (method, path) => {
  const { send, answers } = await startRig();
  const { status, json } = await send(method, path);
  expect(status).toBe(404);
  expect(json.error?.message).toContain(`Unrecognized request URL (${method}: ${path})`);
  expect(answers).toEqual(['rejected']);
});

test('an id with a broken escape is an unknown id', async () => {
  const { send } = await startRig();
  expect((await send('GET', `${intents}/%E0%A4%A`)).json.error?.code).toBe('resource_missing');
});

test('the version asked for is the version answered; nonsense is refused', async () => {
  const { send } = await startRig();
  const answer = await send('GET', intents, undefined, { 'Stripe-Version': '2024-06-20' });
  expect(answer.headers.get('stripe-version')).toBe('2024-06-20');
  expect((await send('GET', intents, undefined, { 'Stripe-Version': 'latest' })).json.error?.message).toContain(
    'Invalid Stripe API version: latest',
  );
});
