import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roles, scopes } from '../../src/http/index.js';
import { publicId, type IdPrefix } from '../../src/kernel/index.js';
import type { Answer } from '../support/answers.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { bodySchema, documentedRoutes, exampleOf, pathOf, type DocumentedRoute } from '../support/openapi.js';
import { WebhookReceiver } from '../support/receiver.js';
import { aRule } from '../support/rulesets.js';
import { WebhookEndpoints } from '../../src/webhooks/index.js';
import { defaultFlows } from '../../src/sessions/domain/default-flows.js';
import { send } from '../support/raw-http.js';

/** Where the rows are whose ids stand in paths, by the prefix of the id. */
const tables: Readonly<Partial<Record<IdPrefix, string>>> = {
  app: 'client_apps',
  whe: 'webhook_endpoints',
  opr: 'operators',
  ops: 'operator_sessions',
  inv: 'operator_invitations',
  cus: 'customers',
  rev: 'reviews',
  hit: 'screening_hits',
  lst: 'screening_lists',
  art: 'artifacts',
  kys: 'kyc_sessions',
  txn: 'kyt_transactions',
  whd: 'webhook_deliveries',
  rin: 'audit_reincarnations',
};

let t: TestApp;
let routes: readonly DocumentedRoute[];
let client: TestClient;
let receiver: WebhookReceiver;
let calls = 0;

beforeAll(async () => {
  t = await startTestApp();
  routes = await documentedRoutes(t);
  client = await t.client({ scopes: [...scopes] });
  await t.api.as(client).ingest(aTransaction()).expect(202);
  await anArtifact(t, client.organisationId);
  receiver = await WebhookReceiver.listen();
  await t.app.get(WebhookEndpoints).create({
    ...{ organisationId: client.organisationId, clientAppId: client.id, url: receiver.url },
    actor: { type: 'operator', id: 'test' },
  });
}, 60_000);

afterAll(async () => {
  await t.close();
  await receiver.close();
});

const nameOf = ({ route }: DocumentedRoute): string => `${route.method} ${route.path}`;

async function idFor(prefix: IdPrefix): Promise<string> {
  const table = tables[prefix];
  if (table !== undefined) {
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE organisation_id = $1 ORDER BY id DESC LIMIT 1`,
      [client.organisationId],
    );
    if (rows[0]) return publicId(prefix, rows[0].id);
  }
  return publicId(prefix, randomUUID());
}

/** Where the document's own example would be refused, or would change nothing. */
const bodies: Readonly<Record<string, () => unknown>> = {
  'POST /operator/webhook-endpoints': () => ({ clientAppId: publicId('app', client.id), url: receiver.url }),
  'POST /webhook-endpoints': () => ({ url: receiver.url }),
  'POST /operator/rules': () => aRule('WALKED'),
  'POST /operator/rules/:key/versions': () => aRule('WALKED'),
  'POST /operator/flows': () => ({ key: 'walked', ...defaultFlows['step-up'] }),
  'POST /operator/flows/:key/versions': () => ({ ...defaultFlows['step-up'], name: 'walked' }),
  'POST /operator/reviews/assignments': () => ({ reviewIds: [], assigneeId: null }),
  'POST /kyt/transactions/ingest/batch': () => [aTransaction()],
  'POST /transactions': () => ({ customer: { id: 'walked' }, amount: 12.5 }),
  'PATCH /operator/client-apps/:id': () => ({ name: 'walked' }),
};
const named: Readonly<Record<string, string>> = {
  '/operator/rules/:key': 'WALKED',
  '/operator/flows/:key': 'walked',
};

/** These change nothing that is regulated, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'POST /operator/me/totp': 'a proposed secret counts for nothing until it is confirmed, which is an entry',
  'POST /operator/screening/search': 'reads; with a body, so that no name stands in a URL',
  'POST /operator/dead-letters/replay': 'there is none to replay; each that is has its own entry',
  'POST /operator/rules/dry-run': 'tries a rule on given facts and keeps nothing',
  'POST /operator/client-apps/:id/enable': 'the application is enabled: nothing changes',
  'POST /operator/flows/:key/versions': 'the same steps again are no new version',
  'POST /operator/rules/check': 'compiles a rule and keeps nothing',
};

/** Calls a route with what its document gives as example, about what is there. */
async function call(one: DocumentedRoute): Promise<{ answer: Answer; requestId: string }> {
  const requestId = `walk-${++calls}`;
  const values: Record<string, string> = {};
  for (const { name, example, schema } of (one.operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'path',
  )) {
    const text = example ?? schema?.['example'];
    const [, prefix] = /^([a-z]{3})_[0-9a-f]{32}$/.exec(typeof text === 'string' ? text : '') ?? [];
    const place = Object.keys(named).find((path) => one.route.path.startsWith(path));
    if (prefix !== undefined) values[name] = await idFor(prefix as IdPrefix);
    else if (name === 'key' && place !== undefined) values[name] = named[place] ?? '';
  }
  const schema = bodySchema(one.operation);
  const own = bodies[nameOf(one)];
  const body = own ? JSON.stringify(own()) : schema && JSON.stringify(exampleOf(one.document, schema));
  const credentials: Record<string, string> =
    one.route.access?.kind === 'client'
      ? { 'x-client-id': client.clientId, 'x-client-secret': client.clientSecret }
      : {
          authorization: `Bearer ${(await t.operator({ roles: [...roles], organisationId: client.organisationId })).token}`,
        };
  const answer = await send(t.url + pathOf(one, values), {
    method: one.route.method,
    headers: {
      ...credentials,
      'x-request-id': requestId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { answer, requestId };
}

describe('every route that can be called as its document says', () => {
  it('writes an entry that names the request when it changes something', async () => {
    const changing = inOrder(routes).filter(
      ({ route }) =>
        route.method !== 'GET' && (route.access?.kind === 'client' || route.access?.kind === 'operator'),
    );
    const done = new Map<string, string>();
    for (const one of changing) {
      const { answer, requestId } = await call(one);
      if (answer.status < 300) done.set(nameOf(one), requestId);
    }
    await eventually('what comes later has come', async () => {
      const { rows } = await t.owner.query<{ waiting: boolean }>(
        'SELECT EXISTS (SELECT FROM kyt_work) AS waiting',
      );
      return rows[0]?.waiting === false;
    });
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT DISTINCT convert_from(canonical, 'UTF8')::json ->> 'requestId' AS id FROM audit_entries`,
    );
    const written = new Set(rows.map(({ id }) => id));
    const without = [...done]
      .filter(([name, id]) => !written.has(id) && WITHOUT[name] === undefined)
      .map(([name]) => name);
    expect(without).toEqual([]);
    // The others need a state that these calls do not bring about; their own specifications do.
    expect(done.size).toBeGreaterThanOrEqual(35);
  }, 180_000);
});

/** What takes something away or ends it comes last, so that the other routes find it. */
function inOrder(all: readonly DocumentedRoute[]): DocumentedRoute[] {
  const last = (one: DocumentedRoute): number =>
    one.route.method === 'DELETE' || /(disable|revoke|erase|cancel|logout)/.test(one.route.path) ? 1 : 0;
  return [...all].sort((a, b) => last(a) - last(b));
}
