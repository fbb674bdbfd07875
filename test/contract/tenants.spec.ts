import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { scopes } from '../../src/platform/http/index.js';
import { roles } from '../../src/platform/http/access/permissions.js';
import { RouteTable, type DeclaredRoute } from '../../src/platform/http/route-table.js';
import { publicId, type IdPrefix } from '../../src/platform/kernel/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { defaultFlows } from '../../src/features/sessions/domain/flow/default-flows.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import type { Answer } from '../support/answers.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { askedIn } from '../support/approvals.js';
import { anArtifact } from '../support/artifacts.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withFlow } from '../support/flows.js';
import { withProvider } from '../support/providers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { aRule } from '../support/rulesets.js';

/** One tenant, as its integrator and as its operator. */
interface Tenant {
  readonly client: TestClient;
  readonly integrator: TestApi;
  readonly operator: TestApi;
  readonly transactionId: string;
}

let t: TestApp;
let receiver: WebhookReceiver;
let us: Tenant;
let them: Tenant;

beforeAll(async () => {
  t = await startTestApp();
  receiver = await WebhookReceiver.listen();
  us = await aTenant();
  them = await aTenant();
  await fill(them);
});

afterAll(async () => {
  await t.close();
  await receiver.close();
});

async function aTenant(): Promise<Tenant> {
  const client = await t.client({ scopes });
  const { organisationId, id: clientAppId } = client;
  const actor = { type: 'operator', id: 'test' } as const;
  await t.app.get(WebhookEndpointsService).create({ organisationId, clientAppId, url: receiver.url, actor });
  const integrator = t.api.as(client);
  const body = aTransaction();
  await integrator.ingest(body).expect(202);
  await integrator.settled(body.transactionId);
  await receiver.about(body.transactionId, 2);
  const operator = t.api.asOperator(await t.operator({ roles, organisationId }));
  return { client, integrator, operator, transactionId: body.transactionId };
}

/** One of everything that a path can name. */
async function fill({ client, operator }: Tenant): Promise<void> {
  const { organisationId } = client;
  await operator.post('/operator/rules').send(aRule('THEIRS')).expect(200);
  await withFlow(t, organisationId, { key: 'theirs', ...defaultFlows['step-up'] });
  await operator
    .call('put', '/operator/flows/theirs/draft')
    .send({ definition: defaultFlows['step-up'] })
    .expect(200);
  const url = 'https://checks.example/document';
  await withProvider(t, organisationId, { name: 'theirs', checks: ['DOCUMENT'], url });
  await operator.post('/operator/kyc-sessions').send({ flowKey: 'theirs' }).expect(201);
  // Shared in its own house, and in no other.
  const view = { name: 'Theirs', query: 'status=OPEN', shared: true };
  await operator.post('/operator/views').send(view).expect(201);
  const person = {
    email: `${neverWas()}@example.com`,
    name: 'Somebody',
    roles: ['ANALYST'],
    reason: 'a test of tenants',
  };
  const invited = await operator.post('/operator/invitations').send(person).expect(202);
  const { id: request, digest } = askedIn(invited);
  const alone = { digest, singleControl: true };
  await operator.post(`/operator/approvals/${request}/approve`).send(alone).expect(200);
  await t.owner.query(
    `INSERT INTO rulesets (id, organisation_id, key, version, status, content, content_hash)
     SELECT gen_random_uuid(), organisation_id, 'theirs', 1, 'DRAFT', content, content_hash
     FROM rulesets WHERE organisation_id = $1 LIMIT 1`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO backtests (id, organisation_id, ruleset_key, ruleset_version, content_hash, content, from_at, to_at, requested_by)
     SELECT gen_random_uuid(), organisation_id, key, version, content_hash, content, now() - interval '1 day', now(), 'test'
     FROM rulesets WHERE organisation_id = $1 AND key = 'theirs'`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO look_backs (id, organisation_id, kind, ruleset_key, ruleset_version, content_hash, days, from_at, to_at,
       status, counts, requested_by, approved_by, approval_id)
     SELECT gen_random_uuid(), organisation_id, 'RULESET', 'theirs', 1, '\\x00', 1, now() - interval '1 day', now(),
       'CANCELLED', '{"looked": 0, "judgedBy": [], "undecided": {}}', gen_random_uuid(), gen_random_uuid(), id
     FROM approvals WHERE organisation_id = $1 LIMIT 1`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO custom_field_backfills (id, organisation_id, schema_version, fields, status, begins_at, finished_at)
     VALUES (gen_random_uuid(), $1, 1, '{1}', 'FAILED', now() - interval '1 day', now())`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO rule_snoozes (id, organisation_id, ruleset_key, rule_key, reason, begins_at, ends_at, created_by)
     VALUES (gen_random_uuid(), $1, 'theirs', 'BR-1', 'a test', now(), now() + interval '1 day', 'test')`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO kyt_work (transaction_ref, organisation_id, status, due_at, failure_code, failure_stage)
     SELECT id, organisation_id, 'DEAD_LETTERED', 'infinity', 'TEST', 'OPEN' FROM kyt_transactions
     WHERE organisation_id = $1`,
    [organisationId],
  );
  await anArtifact(t, organisationId);
  await operator.post('/operator/dead-letters/discards').send({ reason: 'a test of tenants' }).expect(202);
  await t.owner.query(
    `INSERT INTO audit_repairs (id, organisation_id, subject_type, subject_id, kind, gaps, justification, evidence, requested_by)
     VALUES (gen_random_uuid(), $1, 'transaction', 'theirs', 'ATTEST', '[]', 'a test of tenants, long enough', '{}', gen_random_uuid())`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO audit_reincarnations (id, organisation_id, incarnation, restored_size, anchor_incarnation, anchor_size,
       anchor_root, reason, requested_by)
     VALUES (gen_random_uuid(), $1, 2, 0, 1, 1, '\\x00', 'a test of tenants, long enough', gen_random_uuid())`,
    [organisationId],
  );
  const ctx = systemActor(organisationId, 'test');
  const list = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key: 'theirs', name: 'Theirs', kind: 'SANCTIONS', format: 'HOUSE_CSV' });
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, list, null);
  const file = 'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n';
  const main = Readable.from([Buffer.from(file)]);
  await importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
  const listed = aTransaction({ origin: { name: 'Anacleto Sancionado Ficticio', country: 'BR' } });
  await t.api.as(them.client).ingest(listed).expect(202);
  await eventually('a hit', async () => {
    const { rows } = await t.owner.query('SELECT FROM screening_hits WHERE organisation_id = $1', [
      organisationId,
    ]);
    return rows.length > 0;
  });
  await t.owner.query(
    `INSERT INTO freezes (id, organisation_id, hit_id, subject_index, frozen_by)
     SELECT id, organisation_id, id, subject_index, 'system:test' FROM screening_hits WHERE organisation_id = $1 LIMIT 1`,
    [organisationId],
  );
  await t.owner.query(
    `INSERT INTO operator_passkeys (id, organisation_id, operator_id, credential_id, public_key, counter, name, backed_up)
     SELECT id, organisation_id, id, '\\x01', '\\x01', 0, 'key', false FROM operators WHERE organisation_id = $1 LIMIT 1`,
    [organisationId],
  );
  const cash = aTransaction({ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 60_000 });
  await t.api.as(them.client).ingest(cash).expect(202);
  await eventually('a report of cash', async () => {
    const { rows } = await t.owner.query('SELECT FROM coaf_communications WHERE organisation_id = $1', [
      organisationId,
    ]);
    return rows.length > 0;
  });
  await operator
    .post('/operator/audit/exports')
    .send({ reason: 'a test of tenants', auditReady: false })
    .expect(202);
  await eventually('an export', async () => {
    const { rows } = await t.owner.query(
      `SELECT FROM audit_exports WHERE organisation_id = $1 AND status = 'READY'`,
      [organisationId],
    );
    return rows.length > 0;
  });
  const endpoint = await idOf('whe', 'webhook_endpoints', them);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await operator.post(`/operator/webhook-endpoints/${endpoint}/recover`).send({ since }).expect(202);
}

/** The public id of the newest row of a table that belongs to the tenant. */
async function idOf(prefix: IdPrefix, table: string, tenant: Tenant, key = 'id'): Promise<string> {
  const { rows } = await t.owner.query<{ id: string }>(
    `SELECT ${key} AS id FROM ${table} WHERE organisation_id = $1 ORDER BY 1 DESC LIMIT 1`,
    [tenant.client.organisationId],
  );
  if (!rows[0]) throw new Error(`the other tenant has no row in ${table}: let fill() make one`);
  return publicId(prefix, rows[0].id);
}

interface Named {
  /** A value of the other tenant, and one that nobody ever had. */
  readonly theirs: () => Promise<string>;
  readonly nobodys: () => string;
}

const row = (prefix: IdPrefix, table: string, key?: string): Named => ({
  theirs: () => idOf(prefix, table, them, key),
  nobodys: () => publicId(prefix, randomUUID()),
});
const text = (theirs: () => string, nobodys: () => string): Named => ({
  theirs: () => Promise.resolve(theirs()),
  nobodys,
});
const neverWas = (): string => `never-${randomBytes(4).toString('hex')}`;

/** The values for each segment of a path. A route with a new kind of id is taught here. */
const named: Readonly<Record<string, Named>> = {
  'transactions/:transactionId': text(() => them.transactionId, neverWas),
  'transactions/:id': row('txn', 'kyt_transactions'),
  'dead-letters/:id': row('txn', 'kyt_work', 'transaction_ref'),
  'approvals/:id': row('apr', 'approvals'),
  'webhook-endpoints/:id': row('whe', 'webhook_endpoints'),
  'recoveries/:recoveryId': row('whr', 'webhook_recoveries'),
  'webhook-deliveries/:id': row('whd', 'webhook_deliveries'),
  'events/:id': row('evt', 'events'),
  'client-apps/:id': row('app', 'client_apps'),
  'secrets/:secretId': {
    theirs: async () => {
      const { rows } = await t.owner.query<{ id: string }>(
        'SELECT id FROM client_secrets WHERE client_app_id = $1',
        [them.client.id],
      );
      return publicId('sec', rows[0]!.id);
    },
    nobodys: () => publicId('sec', randomUUID()),
  },
  'rules/:key': text(
    () => 'THEIRS',
    () => neverWas().toUpperCase(),
  ),
  'rulesets/:key': text(() => 'theirs', neverWas),
  'look-backs/:id': row('lbk', 'look_backs'),
  'backfills/:id': row('cfb', 'custom_field_backfills'),
  'transactions/:transaction': row('txn', 'kyt_transactions'),
  'operators/:id': row('opr', 'operators'),
  'passkeys/:id': row('psk', 'operator_passkeys'),
  'flows/:key': text(() => 'theirs', neverWas),
  'kyc-sessions/:id': row('kys', 'kyc_sessions'),
  'providers/:name': text(() => 'theirs', neverWas),
  'lists/:id': row('lst', 'screening_lists'),
  'imports/:importId': row('imp', 'screening_snapshots'),
  'hits/:id': row('hit', 'screening_hits'),
  'freezes/:id': row('frz', 'freezes'),
  'customers/:id': row('cus', 'customers'),
  'people/:customer': row('cus', 'customers'),
  'reviews/:id': row('rev', 'reviews'),
  'views/:id': row('viw', 'saved_views'),
  'communications/:id': row('com', 'coaf_communications'),
  'files/:file': text(
    () => 'siscoaf.xml',
    () => 'siscoaf.xml',
  ),
  'artifacts/:id': row('art', 'artifacts'),
  'sessions/:id': row('ops', 'operator_sessions'),
  'invitations/:id': row('inv', 'operator_invitations'),
  'snoozes/:id': row('snz', 'rule_snoozes'),
  'backtests/:id': row('bkt', 'backtests'),
  'repairs/:id': row('rep', 'audit_repairs'),
  'log-restarts/:id': row('rin', 'audit_reincarnations'),
  'exports/:id': row('aex', 'audit_exports'),
  'trails/:subjectType': text(
    () => 'transaction',
    () => 'transaction',
  ),
  'trails/:subjectType/:subjectId': row('txn', 'kyt_transactions'),
  'versions/:version': text(
    () => '1',
    () => '1',
  ),
  'rules/:rule': text(
    () => 'BR-1',
    () => 'BR-1',
  ),
  'entries/:key': {
    theirs: async () => {
      const { rows } = await t.owner.query<{ key: string }>(
        `SELECT coalesce(max(e.entry_key), '1') AS key FROM screening_entries e
         WHERE e.to_sequence IS NULL AND e.list_id = (SELECT max(id::text)::uuid FROM screening_lists WHERE organisation_id = $1)`,
        [them.client.organisationId],
      );
      return rows[0]!.key;
    },
    nobodys: neverWas,
  },
};

/** Bodies that get as far as looking the id up. */
const bodies: readonly (readonly [RegExp, object])[] = [
  [
    /customers\/:id\/(reveal|facts\/confirm|legal-hold|legal-hold\/lift|erase)$/,
    { reason: 'a test of tenants, in twenty characters' },
  ],
  [/customers\/:id\/risk-level$/, { riskLevel: 'LOW' }],
  [/profile\/changes$/, { pep: false, reason: 'a test of tenants, in twenty characters' }],
  [/client-apps\/:id\/scopes$/, { scopes: ['customers:write'], reason: 'a test of tenants' }],
  [/client-apps\/:id\/inputs$/, { withoutInputs: ['DICT'], reason: 'a test of tenants' }],
  [/client-apps\/:id\/(secrets|enable)\/request$/, { reason: 'a test of tenants' }],
  [/related-transactions$/, { reason: 'a test of tenants, in twenty characters' }],
  [/risk-level\/lower$/, { riskLevel: 'LOW', reason: 'a test of tenants, in twenty characters' }],
  [/invitations$/, { email: 'x@example.com', name: 'X', roles: ['AUDITOR'], reason: 'a test of tenants' }],
  [/operators\/:id\/roles$/, { roles: ['AUDITOR'], reason: 'a test of tenants' }],
  [/operators\/:id\/(enable|totp\/reset)$/, { reason: 'a test of tenants' }],
  [/views\/:id$/, { name: 'Ours', query: 'status=OPEN' }],
  [/evidence\/reveal$/, { reason: 'a test of tenants, in twenty characters' }],
  [/approvals\/:id\/approve$/, { digest: '0'.repeat(64) }],
  [/approvals\/:id\/(refuse|withdraw)$/, { reason: 'a test of tenants' }],
  [/lists\/:id$/, { name: 'a test of tenants' }],
  [/lists\/:id\/changes$/, { staleAfterDays: 3, reason: 'a test of tenants' }],
  [/imports\/:importId\/confirm$/, { reason: 'a test of tenants' }],
  [/customers\/:id\/relationship$/, { endedOn: null }],
  [
    /reviews\/:id\/transactions$/,
    {
      transactions: ['txn_019364d0c0de7000a000000000000001'],
      reason: 'a test of tenants, in twenty characters',
    },
  ],
  [
    /reviews\/:id\/(reopen|unmerge|(transactions\/:transaction|people\/:customer)\/remove)$/,
    { reason: 'a test of tenants, in twenty characters' },
  ],
  [
    /reviews\/:id\/merge$/,
    {
      review: 'rev_019364d0c0de7000a000000000000001',
      reason: 'a test of tenants, in twenty characters',
    },
  ],
  [
    /reviews\/:id\/split$/,
    {
      transactions: ['txn_019364d0c0de7000a000000000000001'],
      reason: 'a test of tenants, in twenty characters',
    },
  ],
  [
    /reviews\/:id\/people$/,
    {
      customers: ['cus_019364d0c0de7000a000000000000001'],
      reason: 'a test of tenants, in twenty characters',
    },
  ],
  [/reviews\/:id\/(notes|request-info|info)$/, { text: 'a test of tenants' }],
  [/reviews\/:id\/assign$/, { assigneeId: null }],
  [
    /reviews\/:id\/decision$/,
    {
      resolution: 'REJECTED',
      report: 'ARCHIVE',
      justification: 'a test of tenants, in twenty characters',
    },
  ],
  [/recover$/, { since: '2026-11-01T00:00:00Z' }],
  [/discard$/, { reason: 'a test of tenants' }],
  [/snooze$/, { reason: 'a test of tenants', until: new Date(Date.now() + 86_400_000).toISOString() }],
  [/freezes\/:id\/notices$/, { told: 'COAF', reference: 'SEI-1', toldAt: '2026-11-01T00:00:00.000Z' }],
  [/(freezes\/:id\/lift|hits\/:id\/reopen)$/, { reason: 'a test of tenants' }],
  [/(withdraw|archive|webhook-endpoints\/:id\/disable)$/, { reason: 'a test of tenants' }],
  [/edits$/, { revision: 0, reason: 'a test of tenants, in twenty characters', details: 'X' }],
  [/dismissal$/, { reason: 'a test of tenants, in twenty characters' }],
  [/filing$/, { filingNumber: '1', receivedAt: '2026-11-01T00:00:00Z' }],
  [/filing\/decision$/, { decision: 'CONFIRM' }],
  [/flows\/:key\/draft\/publish$/, { revision: 1, reason: 'a test of tenants' }],
  [/flows\/:key\/rollback$/, { version: 1, reason: 'a test of tenants' }],
  [/resubmissions$/, { steps: [{ stepId: 'selfie', reason: 'a test of tenants' }] }],
  [/(rulesets\/:key\/versions\/:version|lists\/:id)\/look-backs$/, { days: 1, reason: 'a test of tenants' }],
  [/rollback$/, { toVersion: 1, reason: 'a test of tenants' }],
  [/rulesets\/:key\/versions\/:version\/publish$/, { reason: 'a test of tenants' }],
  [/flows\/:key\/versions$/, { ...defaultFlows['step-up'], reason: 'a test of tenants' }],
  [/mode$/, { mode: 'SHADOW' }],
  [/artifacts\/:id\/original$/, { reason: 'A reason of more than twenty characters.' }],
  [/artifacts\/:id\/link$/, { customerId: publicId('cus', randomUUID()) }],
  [/proposals$/, { disposition: 'CONFIRMED', justification: 'a test of tenants, in twenty characters' }],
  [/disposition$/, { disposition: 'ESCALATED', justification: 'a test of tenants, in twenty characters' }],
];

/** Lists below a name that nobody has are empty, as they are below a name that has none. */
const EMPTY_LISTS: readonly string[] = [
  '/operator/rulesets/:key/snoozes',
  '/operator/rulesets/:key/versions/:version/backtests',
];

/** These write what is one's own, whether somebody else has one of that name or not. */
const OWN_BY_NAME: readonly string[] = ['PUT /operator/flows/:key/draft'];

const bodyFor = ({ path }: DeclaredRoute): object =>
  bodies.find(([pattern]) => pattern.test(path))?.[1] ?? {};

/** The path with what the other tenant has, or with what nobody has. */
async function filled(path: string, which: 'theirs' | 'nobodys'): Promise<string> {
  const segments = path.split('/');
  const out: string[] = [];
  for (const [i, segment] of segments.entries()) {
    if (!segment.startsWith(':')) {
      out.push(segment);
      continue;
    }
    const kind =
      named[segments.slice(i - 1, i + 1).join('/')] ??
      named[segments.slice(Math.max(0, i - 2), i + 1).join('/')];
    if (!kind) {
      throw new Error(`teach this test what ${segments.slice(i - 1, i + 1).join('/')} of ${path} is`);
    }
    out.push(encodeURIComponent(await kind[which]()));
  }
  return out.join('/');
}

const call = (route: DeclaredRoute, tenant: Tenant, path: string): Promise<Answer> => {
  const api = route.access?.kind === 'client' ? tenant.integrator : tenant.operator;
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const request = api.call(method, path);
  if (route.path.endsWith('/logo') && method === 'put') {
    return request.attach('file', Buffer.from('a test of tenants'), 'logo.png');
  }
  return method === 'get' || method === 'delete' ? request : request.send(bodyFor(route));
};

/** The answer without what differs between any two answers. */
const said = ({ status, body }: Answer): object => ({
  status,
  body: JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (/^(requestId|correlationId)$/.test(name) ? '-' : value)),
  ) as object,
});

describe("another tenant's id", () => {
  it('is answered exactly like one that never was, on every route that takes one', async () => {
    // ASVS 8.2.2, 8.4.1
    const routes = t.app
      .get(RouteTable, { strict: false })
      .routes()
      .filter(
        ({ path, access }) =>
          path.includes(':') && (access?.kind === 'client' || access?.kind === 'operator'),
      )
      .filter(({ method, path }) => !OWN_BY_NAME.includes(`${method} ${path}`));
    expect(routes.length).toBeGreaterThan(40);
    const findings: string[] = [];
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const [theirs, nobodys] = [await filled(route.path, 'theirs'), await filled(route.path, 'nobodys')];
      const [foreign, absent] = [await call(route, us, theirs), await call(route, us, nobodys)];
      const same = JSON.stringify(said(foreign)) === JSON.stringify(said(absent)).replaceAll(nobodys, theirs);
      if (!same) {
        findings.push(`${name}: ${JSON.stringify(said(foreign))} but ${JSON.stringify(said(absent))}`);
      }
      if (absent.status !== 404 && !EMPTY_LISTS.includes(route.path)) {
        findings.push(`${name}: ${absent.status} ${absent.text.slice(0, 200)}`);
      }
      // That it was a real id is seen by its owner.
      if (route.method === 'GET') {
        const own = await call(route, them, theirs);
        if (own.status !== 200) {
          findings.push(`${name} for its owner: ${own.status} ${own.text.slice(0, 120)}`);
        }
      }
    }
    expect(findings).toEqual([]);
  });

  it('is no place to write: a draft of a flow of the same name is one of our own', async () => {
    const draft = '/operator/flows/theirs/draft';
    const before = (await them.operator.get(draft).expect(200)).body as object;
    await us.operator
      .call('put', draft)
      .send({ definition: { name: 'ours' } })
      .expect(200);
    const ours = (await us.operator.get(draft).expect(200)).body as object;
    expect(ours).toMatchObject({ data: { revision: 1, definition: { name: 'ours' } } });
    expect((await them.operator.get(draft).expect(200)).body).toEqual(before);
    await us.operator.call('delete', draft).expect(204);
    expect((await them.operator.get(draft).expect(200)).body).toEqual(before);
  });
});
