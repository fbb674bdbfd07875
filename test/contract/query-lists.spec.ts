import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { documentedRoutes, type DocumentedRoute, type Schema } from '../support/openapi.js';

let t: TestApp;
let routes: DocumentedRoute[];
let credentials: Record<string, string>;

beforeAll(async () => {
  t = await startTestApp();
  routes = await documentedRoutes(t);
  const client = await t.client({ scopes: ['events:read'] });
  const { token } = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
  credentials = {
    'x-client-id': client.clientId,
    'x-client-secret': client.clientSecret,
    authorization: `Bearer ${token}`,
  };
});

afterAll(async () => {
  await t.close();
});

interface Refusal {
  readonly error: { readonly details: readonly { readonly path: string; readonly code: string }[] } | null;
}

/** The status, and the faults of a refusal; what streams is left after its headers. */
async function answerTo(path: string): Promise<readonly [number, ...string[]]> {
  const stop = new AbortController();
  const response = await fetch(t.url + path, { headers: credentials, signal: stop.signal });
  const { status } = response;
  const { error } = status === 400 ? ((await response.json()) as Refusal) : { error: null };
  stop.abort();
  return [status, ...(error?.details ?? []).map((one) => `${one.path} ${one.code}`)];
}

it('takes every list of a query with commas and one by one, and refuses what is unknown as that', async () => {
  const lists = routes.flatMap(({ template, operation }) =>
    (operation.parameters ?? [])
      .filter(({ in: place, schema }) => place === 'query' && schema?.['type'] === 'array')
      .map(({ name, schema, example }) => {
        const { enum: values, example: one } = schema!['items'] as Schema;
        const some = (example ?? schema!['example'] ?? values ?? [one]) as string[];
        return { path: `${template}?${name}=`, name, items: some.slice(0, 2) };
      }),
  );
  expect(lists.map(({ path }) => path).sort()).toEqual([
    '/events?types=',
    '/operator/customers?ids=',
    '/operator/stream?topics=',
  ]);
  for (const { path, name, items } of lists) {
    expect(items).toHaveLength(2);
    expect([path, ...(await answerTo(path + items.join(',')))]).toEqual([path, 200]);
    expect([path, ...(await answerTo(path + items.join(`&${name}=`)))]).toEqual([path, 200]);
    for (const among of [`${items[0]},never`, `${items[0]}&${name}=never`]) {
      const [status, ...faults] = await answerTo(path + among);
      expect([path, status, faults.length]).toEqual([path, 400, 1]);
      expect(faults[0]).toMatch(new RegExp(`^${name}.* (VALUE_NOT_ALLOWED|PATTERN_MISMATCH)$`));
    }
  }
});
