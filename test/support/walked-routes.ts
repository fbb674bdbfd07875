import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  cosignatureLine,
  LogAuditorService,
  parseNote,
  createSigner,
  formatVerifierKey,
} from '../../src/features/audit/index.js';
import { RollbackGuard } from '../../src/features/audit/jobs/rollback-guard.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { UnitOfWork } from '../../src/platform/database/index.js';
import { roles, scopes } from '../../src/platform/http/index.js';
import { publicId, uuidOf, type IdPrefix } from '../../src/platform/kernel/index.js';
import { codeAt, InvitationsService } from '../../src/features/operators/index.js';
import { ReviewsService, type CaseAlert } from '../../src/features/reviews/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { TestClient, TestOperator } from './api.js';
import { startTestApp, type TestApp } from './app.js';
import { SoftwareAuthenticator } from './authenticator.js';
import { approve, askedIn, type AskedApproval } from './approvals.js';
import { invitedToken } from './outbox.js';
import { anArtifact } from './artifacts.js';
import { aTransaction, cpfOf, PERSON_ANSWERS } from './builders.js';
import { eventually } from './eventually.js';
import { aPicture } from './files.js';
import { withFlow } from './flows.js';
import { LISTED, withLists } from './lists.js';
import { documentPhoto } from './made-pictures.js';
import { WebhookReceiver } from './receiver.js';
import { aRule, mandatoryRules, rulesetBasics } from './rulesets.js';
import { behindItsBack } from './tamper.js';
import { as, asClient, asOperator, subjectOf, Walk, type Walker } from './walk.js';
import { defaultFlows } from '../../src/features/sessions/domain/flow/default-flows.js';

/** Routes that write no entry, and why. A route is here or its entry is proven below. */
export const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'POST /operator/auth/refresh':
    'goes on with a login that is an entry; a token that comes twice is one as well',
  'POST /operator/me/totp': 'a proposed secret counts for nothing until it is confirmed, which is an entry',
  'POST /operator/auth/passkeys/options': 'makes a challenge; the login that answers it is an entry',
  'POST /operator/me/passkeys/options': 'makes a challenge; the passkey that answers it is an entry',
  'POST /operator/me/step-up/options': 'makes a challenge; the step-up that answers it is an entry',
  'POST /operator/rules/check': 'compiles a rule and keeps nothing',
  'POST /operator/rules/dry-run': 'tries a rule on given facts and keeps nothing',
  'POST /operator/screening/search': 'reads; with a body, so that no name stands in a URL',
  'POST /operator/flows/check': 'judges a flow and keeps nothing',
  'POST /operator/flows/:key/draft/preview': 'makes a link by which a draft is looked at, and keeps nothing',
  'POST /kyc-sessions/:id/steps/:stepId/code':
    'has a code sent to the person; that it was right is part of what is submitted, which is an entry',
  'PUT /kyc-sessions/:id/steps/:stepId': 'a draft of the person; what counts is submitted, which is an entry',
};

/** Routes whose entry is all that they write. */
export const ENTRY_ALONE: Readonly<Record<string, string>> = {
  'POST /operator/artifacts/:id/original': 'gives a file; that it was taken is what there is to record',
  'POST /operator/customers/:id/reveal': 'shows a document; that it was shown is what there is to record',
  'POST /operator/providers/:name/secret': 'shows a secret; that it was shown is what there is to record',
  'POST /operator/kyc-sessions/:id/evidence/reveal':
    'shows answers; that they were shown is what there is to record',
};

/** A flow that a picture of a document is enough for. */
const SAID = {
  name: { 'pt-BR': 'Dados' },
  expiresInMinutes: 60,
  minimumAge: 18,
  steps: [
    {
      id: 'person',
      type: 'DATA_FORM',
      title: { 'pt-BR': 'Você' },
      required: true,
      fields: [
        { id: 'name', type: 'TEXT', label: { 'pt-BR': 'Nome' }, required: true },
        { id: 'cpf', type: 'CPF', label: { 'pt-BR': 'CPF' }, required: true },
        { id: 'email', type: 'EMAIL', label: { 'pt-BR': 'E-mail' }, required: true },
      ],
    },
    {
      id: 'document',
      type: 'DOCUMENT_CAPTURE',
      title: { 'pt-BR': 'Documento' },
      required: true,
      acceptedDocuments: [{ type: 'CNH', label: { 'pt-BR': 'CNH' }, sides: ['FRONT'] }],
    },
  ],
  requiredChecks: ['TAX_ID', 'LISTS'],
} as const;
const CODE_STEP = {
  ...{ id: 'code', type: 'ONE_TIME_CODE', title: { 'pt-BR': 'Código' }, required: true },
  ...{ channel: 'EMAIL', to: 'email' },
} as const;

const WHY = 'A walk over every route, with a reason of more than twenty characters.';
const PASSWORD = 'jardim-cobre-7-planalto';
const OTHER_PASSWORD = 'vento-largo-91-cerrado';

let t: TestApp;
let receiver: WebhookReceiver;
/** Carries codes. */
let carrier: WebhookReceiver;
let walk: Walk;
let client: TestClient;
let ana: TestOperator;
let bruno: TestOperator;
/** Two people with every role. */
let maker: Walker;
let checker: Walker;
let integrator: Walker;

export interface Begun {
  readonly t: TestApp;
  readonly walk: Walk;
  readonly client: TestClient;
}

/** Starts the application and those who will call it. */
export async function beginWalk(): Promise<Begun> {
  t = await startTestApp({
    settings: {
      machineOperators: true,
      rateLimitSessionPerMinute: 100_000,
      // The stored bodies of dead letters are spoilt: only the queue reads them again.
      evaluateOnArrival: false,
    },
  });
  receiver = await WebhookReceiver.listen();
  carrier = await WebhookReceiver.listen({ answer: () => 200 });
  carrier.says = '{"verdict":"PASS"}';
  client = await t.client({ scopes: [...scopes], rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  await withLists(t, organisationId);
  ana = await t.operator({ roles: [...roles], organisationId });
  maker = asOperator(ana);
  bruno = await t.operator({ roles: [...roles], organisationId });
  checker = asOperator(bruno);
  integrator = asClient(client);
  // The stored bodies of these cannot be read: they end as dead letters.
  await t.owner.query(
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.sealed_body := set_byte(NEW.sealed_body, length(NEW.sealed_body) - 1,
         (get_byte(NEW.sealed_body, length(NEW.sealed_body) - 1) + 1) % 256);
       RETURN NEW;
     END $$`,
  );
  await t.owner.query(
    `CREATE TRIGGER a_spoil BEFORE INSERT ON kyt_transactions FOR EACH ROW
     WHEN (NEW.transaction_id LIKE 'dead-%') EXECUTE FUNCTION spoil()`,
  );
  walk = await Walk.over(t, { without: WITHOUT_ENTRY, alone: ENTRY_ALONE });
  return { t, walk, client };
}

export async function endWalk(): Promise<void> {
  await t.close();
  await receiver.close();
  await carrier.close();
}

type Part = readonly [title: string, take: () => Promise<void>];

/** The walk in the order in which it is taken: a part finds what the ones before it made. */
export const parts: Part[] = [];

const part = (...one: Part): void => {
  parts.push(one);
};

/** The request that a call has made, as the trail names it. */
const asked = (data: { id: string }): string => subjectOf(data.id) ?? '';

const unique = (): string => randomBytes(4).toString('hex');
const uuidIn = (prefix: IdPrefix, id: string): string => uuidOf(prefix, id) ?? '';

/** The public id of the newest row that fits. */
const rowOf = (prefix: IdPrefix, sql: string, values: unknown[] = []): Promise<string> =>
  eventually(`a row of ${prefix}`, async () => {
    const { rows } = await t.owner.query<{ id: string }>(sql, values);
    return rows[0] ? publicId(prefix, rows[0].id) : null;
  });

/** A transaction whose processing has ended, by its public id. */
async function processed(fields: Record<string, unknown> = {}): Promise<string> {
  const body = aTransaction(fields);
  await walk.take('POST /kyt/transactions/ingest', { by: integrator, body, about: aboutReceipt });
  await t.api.as(client).settled(body.transactionId);
  return rowOfTransaction(body);
}

interface Receipt {
  readonly transactionId: string;
}

const rowOfTransaction = ({ transactionId }: Receipt): Promise<string> =>
  rowOf('txn', 'SELECT id FROM kyt_transactions WHERE transaction_id = $1', [transactionId]);

const aboutReceipt = async (receipt: Receipt): Promise<string> =>
  subjectOf(await rowOfTransaction(receipt)) ?? '';

/** A customer of whom nothing is known but an id. */
async function aCustomer(): Promise<string> {
  const [found] = await t.app.get(CustomerIdentificationService).identify([
    {
      organisationId: client.organisationId,
      clientAppId: client.id,
      externalCustomerId: `walked-${randomUUID()}`,
      taxId: null,
      name: null,
      birthDate: null,
      by: 'SESSION',
      requestId: null,
      correlationId: 'walk',
      traceparent: null,
    },
  ]);
  return publicId('cus', found?.customerId ?? '');
}

part('takes in transactions', async () => {
  const by = integrator;
  const about = aboutReceipt;
  const one = aTransaction();
  await walk.take('POST /kyt/transactions/ingest/batch', { by, body: [one], about: () => about(one) });
  const legacy = { transactionId: `legacy-${unique()}`, customer: { id: 'walked' }, amount: 12.5 };
  await walk.take('POST /transactions', { by, body: legacy, about });
  const event = { type: 'LOGIN', occurredAt: new Date().toISOString(), externalCustomerId: 'walked' };
  const aboutEvent = async ({ eventId }: { readonly eventId: string }): Promise<string> =>
    subjectOf(await rowOf('cev', 'SELECT id FROM kyt_customer_events WHERE event_id = $1', [eventId])) ?? '';
  const alone = { eventId: `event-${unique()}`, ...event };
  const inBatch = { eventId: `event-${unique()}`, ...event };
  await walk.take('POST /kyt/events', { by, body: alone, about: aboutEvent });
  await walk.take('POST /kyt/events/batch', { by, body: [inBatch], about: () => aboutEvent(inBatch) });
  await walk.take('POST /operator/transactions/:id/re-evaluate', { by: maker, at: [await processed()] });
});

part('brings dead letters back or gives them up', async () => {
  const dead = (): Promise<string> => processed({ transactionId: `dead-${unique()}` });
  const [replayed, filtered, discarded, other, kept] = [
    await dead(),
    await dead(),
    await dead(),
    await dead(),
    await dead(),
  ];
  const base = '/operator/dead-letters';
  const body = { reason: WHY };
  await walk.take(`POST ${base}/:id/discard`, { by: maker, at: [discarded], body, about: asked });
  await walk.take(`POST ${base}/:id/replay`, { by: maker, at: [replayed] });
  const asks = (): Promise<{ approvalId: string }> =>
    walk.take(`POST ${base}/discards`, { by: maker, body: { ...body, limit: 1 } });
  const { approvalId } = await asks();
  const shown = await t.api.asOperator(ana).get(`/operator/approvals/${approvalId}`).expect(200);
  const { digest } = askedIn(shown);
  const approvals = '/operator/approvals/:id';
  await walk.take(`POST ${approvals}/approve`, { by: checker, at: [approvalId], body: { digest } });
  await walk.take(`POST ${approvals}/withdraw`, { by: maker, at: [(await asks()).approvalId], body });
  await walk.take(`POST ${approvals}/refuse`, { by: checker, at: [(await asks()).approvalId], body });
  await walk.take(`POST ${base}/replay`, { by: maker, body: {}, about: subjectOf(kept) ?? '' });
  expect([filtered, other]).toHaveLength(2);
});

part('makes and changes applications and their secrets', async () => {
  const base = '/operator/client-apps';
  const body = { name: 'walked', publicName: 'Walked' };
  const { id } = await walk.take(`POST ${base}`, { by: maker, body });
  await walk.take(`PATCH ${base}/:id`, { by: maker, at: [id], body: { name: 'walked on' } });
  const wanted = await walk.take<AskedApproval>(`POST ${base}/:id/scopes`, {
    by: maker,
    at: [id],
    body: { scopes: ['customers:write'], reason: WHY },
    about: asked,
  });
  await walk.take(`POST ${base}/:id/inputs`, {
    by: maker,
    at: [id],
    body: { withoutInputs: ['DICT'], reason: WHY },
    about: asked,
  });
  const { secretId } = await walk.take<{ secretId: string }>(`POST ${base}/:id/secrets`, {
    by: maker,
    at: [id],
  });
  await walk.take(`DELETE ${base}/:id/secrets/:secretId`, { by: maker, at: [id, secretId] });
  const file = await aPicture(64, 64).png().toBuffer();
  await walk.take(`PUT ${base}/:id/logo`, { by: maker, at: [id], file });
  await walk.take(`DELETE ${base}/:id/logo`, { by: maker, at: [id] });
  await walk.take(`POST ${base}/:id/disable`, { by: maker, at: [id], body: { reason: WHY } });
  await walk.take(`POST ${base}/:id/enable`, { by: maker, at: [id] });
  await approve(t.api.asOperator(bruno), { body: { data: wanted } });
  const given = await walk.take<AskedApproval>(`POST ${base}/:id/secrets/request`, {
    by: maker,
    at: [id],
    body: { reason: WHY },
    about: asked,
  });
  await approve(t.api.asOperator(bruno), { body: { data: given } });
  await t.api.asOperator(bruno).post(`${base}/${id}/disable`).send({}).expect(200);
  await walk.take(`POST ${base}/:id/enable/request`, {
    by: maker,
    at: [id],
    body: { reason: WHY },
    about: asked,
  });
  await walk.take(`DELETE ${base}/:id`, { by: maker, at: [id] });
});

async function endpoints(own: boolean): Promise<void> {
  const [prefix, by] = own ? ['', integrator] : ['/operator', maker];
  const base = `${prefix}/webhook-endpoints`;
  const body = { url: receiver.url, ...(own ? {} : { clientAppId: publicId('app', client.id) }) };
  interface Created {
    readonly endpoint: { readonly id: string };
  }
  const about = ({ endpoint }: Created): string => subjectOf(endpoint.id) ?? '';
  const { id } = (await walk.take<Created>(`POST ${base}`, { by, body, about })).endpoint;
  await processed();
  const delivery = await rowOf(
    'whd',
    `SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'DELIVERED' LIMIT 1`,
    [uuidIn('whe', id)],
  );
  await walk.take(`POST ${prefix}/webhook-deliveries/:id/retry`, { by, at: [delivery] });
  await walk.take(`PATCH ${base}/:id`, { by, at: [id], body: { eventTypes: ['session.completed'] } });
  await walk.take(`POST ${base}/:id/secret/rotate`, { by, at: [id] });
  await walk.take(`POST ${base}/:id/test`, { by, at: [id] });
  const since = new Date(Date.now() - 60_000).toISOString();
  await walk.take(`POST ${base}/:id/recover`, { by, at: [id], body: { since } });
  await walk.take(`POST ${base}/:id/pause`, { by, at: [id] });
  await walk.take(`POST ${base}/:id/resume`, { by, at: [id] });
  await walk.take(`POST ${base}/:id/disable`, { by, at: [id], body: { reason: WHY } });
  await walk.take(`DELETE ${base}/:id`, { by, at: [id] });
}

part('makes and changes endpoints, as the application', () => endpoints(true));
part('makes and changes endpoints, as an operator', () => endpoints(false));

part('writes rules and publishes rulesets', async () => {
  const rule = async (body: Record<string, unknown>): Promise<object> => {
    const key = String(body['key']);
    await walk.take('POST /operator/rules', { by: maker, body });
    const { version } = await walk.take<{ version: number }>('POST /operator/rules/:key/versions', {
      by: maker,
      at: [key],
      body: {},
    });
    return { key, version };
  };
  const rules = [];
  for (const body of [...mandatoryRules, aRule('WALKED')]) rules.push(await rule(body));
  await walk.take('POST /operator/rules/check', { by: maker, body: { when: 'amountBrl > 5' } });
  await walk.take('POST /operator/rules/dry-run', { by: maker });

  const base = '/operator/rulesets';
  const of = `${base}/:key/versions/:version`;
  const key = 'walked';
  const first = await walk.take(`POST ${base}`, { by: maker, body: { key, ...rulesetBasics, rules } });
  const about = subjectOf(first.id) ?? '';
  const at = [key, '1'];
  const name = { 'pt-BR': 'Outro', en: 'Other' };
  await walk.take(`PUT ${of}`, { by: maker, at, body: { name }, about });
  await walk.take(`POST ${of}/rules/:rule/mode`, {
    by: maker,
    at: [key, '1', 'WALKED'],
    body: { mode: 'LIVE' },
    about,
  });
  const tested = async (version: string): Promise<string> => {
    const { id } = await walk.take(`POST ${of}/backtests`, { by: maker, at: [key, version], body: {} });
    await eventually('the back-test has ended', async () => {
      const { rows } = await t.owner.query(`SELECT FROM backtests WHERE id = $1 AND status = 'FINISHED'`, [
        uuidIn('bkt', id),
      ]);
      return rows.length > 0;
    });
    return id;
  };
  const backtest = await tested('1');
  const running = await rowOf(
    'bkt',
    `INSERT INTO backtests (id, organisation_id, ruleset_key, ruleset_version, content_hash, content, status, from_at,
                            to_at, requested_by, attempts, lease_until)
     SELECT gen_random_uuid(), organisation_id, ruleset_key, ruleset_version, content_hash, content, 'RUNNING', from_at,
            to_at, requested_by, 1, now() + interval '1 hour' FROM backtests WHERE id = $1 RETURNING id`,
    [uuidIn('bkt', backtest)],
  );
  await walk.take(`POST ${of}/backtests/:id/cancel`, {
    by: maker,
    at: [...at, running],
    about: subjectOf(running) ?? '',
  });
  const published = async (version: string): Promise<void> => {
    const asked = await walk.take<AskedApproval>(`POST ${of}/publish`, {
      by: maker,
      at: [key, version],
      body: { reason: WHY },
    });
    await approve(t.api.asOperator(bruno), { body: { data: asked } });
  };
  await published('1');

  const held = [key, 'WALKED'];
  const second = await walk.take(`POST ${base}/:key/rules/:rule/mode`, {
    by: maker,
    at: held,
    body: { mode: 'SHADOW' },
  });
  await tested('2');
  await published('2');
  const { id: lookBackId, digest: lookBackDigest } = await walk.take<AskedApproval>(`POST ${of}/look-backs`, {
    by: maker,
    at: [key, '2'],
    body: { days: 7, reason: WHY },
    about: asked,
  });
  await walk.take('POST /operator/approvals/:id/approve', {
    by: checker,
    at: [lookBackId],
    body: { digest: lookBackDigest },
  });
  const lookingBack = await rowOf(
    'lbk',
    `INSERT INTO look_backs (id, organisation_id, kind, ruleset_key, ruleset_version, content_hash, days, from_at, to_at,
                             counts, requested_by, approved_by, approval_id, status, attempts, lease_until)
     SELECT gen_random_uuid(), organisation_id, kind, ruleset_key, ruleset_version, content_hash, days, from_at, to_at,
            counts, requested_by, approved_by, approval_id, 'RUNNING', 1, now() + interval '1 hour'
     FROM look_backs LIMIT 1 RETURNING id`,
  );
  await walk.take('POST /operator/look-backs/:id/cancel', { by: checker, at: [lookingBack] });
  await walk.take(`POST ${base}/:key/rollback`, {
    by: maker,
    at: [key],
    body: { toVersion: 1, reason: WHY },
  });
  await walk.take(`POST ${of}/archive`, { by: maker, at: [key, '3'], body: { reason: WHY } });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const live = subjectOf(second.id) ?? '';
  const {
    id,
    digest,
    subjectId: snooze,
  } = await walk.take<AskedApproval>(`POST ${base}/:key/rules/:rule/snooze`, {
    by: maker,
    at: held,
    body: { until, reason: WHY },
    about: asked,
  });
  await walk.take('POST /operator/approvals/:id/approve', { by: checker, at: [id], body: { digest } });
  await walk.take(`POST ${base}/:key/snoozes/:id/lift`, { by: checker, at: [key, snooze], about: live });
});

part('imports rates and lists, and decides about hits', async () => {
  await walk.take('POST /operator/fx/rates', {
    by: maker,
    body: { source: 'walk', rates: [{ currency: 'USD', date: '2026-11-20', rate: '5.25' }], reason: WHY },
    about: asked,
  });
  const base = '/operator/lists';
  const body = { key: 'walked', name: 'Walked', kind: 'WATCH', format: 'HOUSE_CSV' };
  const { id } = await walk.take(`POST ${base}`, { by: maker, body });
  await walk.take(`PATCH ${base}/:id`, { by: maker, at: [id], body: { name: 'Walked on' } });
  const change = { mandatoryThreshold: 0.95, reason: WHY };
  await walk.take(`POST ${base}/:id/changes`, { by: maker, at: [id], body: change, about: asked });
  await walk.take(`POST ${base}/:id/look-backs`, {
    by: maker,
    at: [await rowOf('lst', `SELECT id FROM screening_lists WHERE key = 'sanctions' LIMIT 1`)],
    body: { days: 7, reason: WHY },
    about: asked,
  });
  const imported = async (name: string): Promise<string> => {
    const file = Buffer.from(`key;name;kind;birthDate;type;value\nw1;${name};PERSON;;;\n`);
    const form = { confirmation: 'ALWAYS' };
    const begun = await walk.take(`POST ${base}/:id/imports`, { by: maker, at: [id], file, form });
    return eventually('the import waits', async () => {
      const { rows } = await t.owner.query<{ status: string }>(
        `SELECT status FROM screening_snapshots WHERE id = $1`,
        [uuidIn('imp', begun.id)],
      );
      return rows[0]?.status === 'AWAITING_CONFIRMATION' && begun.id;
    });
  };
  const one = `${base}/:id/imports/:importId`;
  const first = await imported('Caminhante Ficticio');
  await walk.take(`POST ${one}/confirm`, { by: maker, at: [id, first], body: { reason: WHY }, about: asked });
  await walk.take(`POST ${one}/reject`, { by: maker, at: [id, first] });
  await walk.take(`POST ${one}/reject`, { by: maker, at: [id, await imported('Andarilho Ficticio')] });
  await walk.take('POST /operator/screening/search', { by: maker });
  await processed({ origin: { name: LISTED.sanctions, country: 'BR' } });
  const hit = await rowOf(
    'hit',
    `SELECT id FROM screening_hits WHERE status = 'PENDING' AND mandatory LIMIT 1`,
  );
  const escalation = { disposition: 'ESCALATED', justification: WHY };
  await walk.take('POST /operator/hits/:id/disposition', { by: maker, at: [hit], body: escalation });
  interface Asked {
    readonly id: string;
    readonly digest: string;
  }
  const approved = async ({ id: approvalId, digest }: Asked): Promise<void> => {
    await walk.take('POST /operator/approvals/:id/approve', {
      by: checker,
      at: [approvalId],
      body: { digest },
    });
  };
  interface Many {
    readonly items: readonly { readonly approvalId: string }[];
  }
  const firstOf = ({ items }: Many): string => items[0]?.approvalId ?? '';
  const many = await walk.take<Many>('POST /operator/hits/proposals', {
    by: maker,
    body: { hitIds: [hit], disposition: 'CONFIRMED', justification: WHY },
    about: (data: Many) => subjectOf(firstOf(data)) ?? '',
  });
  await walk.take('POST /operator/approvals/:id/withdraw', {
    by: maker,
    at: [firstOf(many)],
    body: { reason: WHY },
  });
  await approved(
    await walk.take<Asked>('POST /operator/hits/:id/proposals', {
      by: maker,
      at: [hit],
      body: { disposition: 'CONFIRMED', justification: WHY },
      about: asked,
    }),
  );
  const freeze = await rowOf('frz', 'SELECT id FROM freezes WHERE lifted_at IS NULL LIMIT 1');
  const notice = { told: 'COAF', reference: 'SEI-1', toldAt: new Date().toISOString() };
  const told = { by: maker, at: [freeze], body: notice };
  await walk.take('POST /operator/freezes/:id/notices', told);
  const lift = { by: maker, at: [freeze], body: { reason: WHY }, about: asked };
  await approved(await walk.take<Asked>('POST /operator/freezes/:id/lift', lift));
  const reopening = { by: maker, at: [hit], body: { reason: WHY }, about: asked };
  await walk.take('POST /operator/hits/:id/reopen', reopening);
});

part('communicates to the authority', async () => {
  const institution = {
    taxId: '11.222.333/0001-81',
    name: 'Instituição Exemplo',
    city: 'Recife',
    state: 'PE',
  };
  await walk.take('PUT /operator/coaf/institution', {
    by: maker,
    body: institution,
    about: `coaf_institution:${client.organisationId}`,
  });
  const deposit = await processed({ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 60_000 });
  const id = await rowOf('com', 'SELECT id FROM coaf_communications WHERE transaction_ref = $1', [
    uuidIn('txn', deposit),
  ]);
  const one = '/operator/coaf/communications/:id';
  const edit = { revision: 0, reason: WHY, details: 'DEPOSITO EM ESPECIE' };
  await walk.take(`POST ${one}/edits`, { by: maker, at: [id], body: edit });
  const wrong = await processed({ type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 61_000 });
  const other = await rowOf('com', 'SELECT id FROM coaf_communications WHERE transaction_ref = $1', [
    uuidIn('txn', wrong),
  ]);
  await walk.take(`POST ${one}/dismissal`, { by: maker, at: [other], body: { reason: WHY }, about: asked });
  const filing = { filingNumber: '2026112000099', receivedAt: new Date().toISOString() };
  await walk.take(`POST ${one}/filing`, { by: maker, at: [id], body: filing });
});

part('keeps customers', async () => {
  const transaction = await processed({ externalCustomerId: 'walked-customer' });
  const id = await rowOf(
    'cus',
    `SELECT c.id FROM customers c JOIN kyt_transactions x ON x.organisation_id = c.organisation_id
       AND (c.external_index = x.customer_key OR c.document_index = x.document_key) WHERE x.id = $1`,
    [uuidIn('txn', transaction)],
  );
  const one = '/operator/customers/:id';
  const at = [id];
  await walk.take(`PATCH ${one}/profile`, { by: maker, at, body: { monthlyIncome: 4_800 } });
  const about = subjectOf(id) ?? '';
  const row = { externalCustomerId: 'walked-customer', segment: 'RETAIL' };
  await walk.take('PUT /customers/profiles', { by: integrator, body: [row], about });
  await walk.take('PUT /operator/customers/profiles', {
    by: maker,
    body: [{ ...row, segment: 'PRIVATE' }],
    about,
  });
  await walk.take(`PUT ${one}/risk-level`, { by: maker, at, body: { riskLevel: 'HIGH' } });
  await walk.take(`POST ${one}/facts/confirm`, { by: maker, at, body: { reason: WHY }, about: asked });
  await walk.take(`PUT ${one}/relationship`, { by: maker, at, body: { endedOn: '2026-01-02' } });
  await walk.take(`POST ${one}/legal-hold`, { by: maker, at, body: { reason: WHY } });
  await walk.take(`POST ${one}/risk-level/lower`, {
    by: maker,
    at,
    body: { riskLevel: 'LOW', reason: WHY },
    about: asked,
  });
  await walk.take(`POST ${one}/legal-hold/lift`, { by: maker, at, body: { reason: WHY }, about: asked });
  await walk.take(`POST ${one}/reveal`, { by: maker, at, body: { reason: WHY } });
  await walk.take(`POST ${one}/erase`, {
    by: maker,
    at: [await aCustomer()],
    body: { reason: WHY },
    about: asked,
  });
});

/** A case about missing data. */
async function aGap(customerId: string): Promise<string> {
  const { organisationId } = client;
  const gap: CaseAlert = {
    ...{ organisationId, kind: 'DATA_GAP', theme: 'DATA_GAP', priority: 'LOW', riskScore: null },
    ...{ customerId: uuidIn('cus', customerId), clientAppId: null, occurredAt: new Date() },
    ...{ requestId: null, correlationId: null },
  };
  const by = { type: 'system', id: 'test' } as const;
  const opened = await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) => t.app.get(ReviewsService).openCases(tx, [gap], by));
  return publicId('rev', opened[0]?.reviewId ?? '');
}

/** A case about two transactions. */
async function aScore(customerId: string): Promise<{ id: string; transactions: string[] }> {
  const { organisationId } = client;
  const refs = [randomUUID(), randomUUID()];
  const alerts = refs.map((ref): CaseAlert => ({
    ...{ organisationId, kind: 'SCORE', theme: 'FRAUD', priority: 'LOW', riskScore: 70 },
    ...{ customerId: uuidIn('cus', customerId), clientAppId: null, occurredAt: new Date() },
    ...{ transaction: { ref, evaluationVersion: 1 }, requestId: null, correlationId: null },
  }));
  const by = { type: 'system', id: 'test' } as const;
  const opened = await t.app
    .get(UnitOfWork)
    .run(organisationId, (tx) => t.app.get(ReviewsService).openCases(tx, alerts, by));
  return { id: publicId('rev', opened[0]!.reviewId), transactions: refs.map((ref) => publicId('txn', ref)) };
}

part('works on cases', async () => {
  const customerId = await aCustomer();
  const open = async (): Promise<string> =>
    (await walk.take('POST /operator/reviews', { by: maker, body: { customerId, reason: WHY } })).id;
  const id = await open();
  const at = [id];
  const one = '/operator/reviews/:id';
  const text = { text: WHY };
  await walk.take('POST /operator/reviews/assignments', {
    by: maker,
    body: { reviewIds: [id], assigneeId: publicId('opr', ana.id) },
    about: subjectOf(id) ?? '',
  });
  await walk.take(`POST ${one}/assign`, { by: maker, at, body: { assigneeId: 'me' } });
  await walk.take(`POST ${one}/attachments`, {
    by: maker,
    at,
    file: await aPicture(64, 64, 5).png().toBuffer(),
    about: (file: { id: string }) => subjectOf(file.id) ?? '',
  });
  await walk.take(`POST ${one}/notes`, { by: maker, at, body: text });
  await walk.take(`POST ${one}/request-info`, { by: maker, at, body: text });
  await walk.take(`POST ${one}/info`, { by: maker, at, body: text });
  const sent = aTransaction();
  await t.api.as(client).ingest(sent).expect(202);
  await t.api.as(client).settled(sent.transactionId);
  const { body: found } = await t.api.asOperator(ana).get('/operator/transactions?limit=1').expect(200);
  const [{ id: transaction } = { id: '' }] = (found as { data: { id: string }[] }).data;
  const related = { transactions: [transaction], reason: WHY };
  await walk.take(`POST ${one}/transactions`, { by: maker, at, body: related });
  await walk.take(`POST ${one}/transactions/:transaction/remove`, {
    by: maker,
    at: [...at, transaction],
    body: { reason: WHY },
  });
  const other = aTransaction({ externalCustomerId: sent['externalCustomerId'] });
  await t.api.as(client).ingest(other).expect(202);
  await t.api.as(client).settled(other.transactionId);
  const whose = `/operator/customers?externalCustomerId=${String(sent['externalCustomerId'])}`;
  const { body: owners } = await t.api.asOperator(ana).get(whose).expect(200);
  const [owner] = (owners as { data: { id: string }[] }).data;
  const ofTwo: { id: string } = await walk.take('POST /operator/reviews', {
    by: maker,
    body: { customerId: owner?.id, transaction, reason: WHY },
  });
  await walk.take(`POST ${one}/related-transactions`, { by: maker, at: [ofTwo.id], body: { reason: WHY } });
  const person = await aCustomer();
  const people = { customers: [person], reason: WHY };
  await walk.take(`POST ${one}/people`, { by: maker, at, body: people, about: subjectOf(id) ?? '' });
  await walk.take(`POST ${one}/people/:customer/remove`, {
    ...{ by: maker, at: [...at, person], body: { reason: WHY }, about: subjectOf(id) ?? '' },
  });
  const second = await open();
  const merge = { review: second, reason: WHY };
  await walk.take(`POST ${one}/merge`, { by: maker, at, body: merge, about: subjectOf(id) ?? '' });
  await walk.take(`POST ${one}/unmerge`, { by: maker, at: [second], body: { reason: WHY } });
  const whole = await aScore(customerId);
  await walk.take(`POST ${one}/split`, {
    ...{ by: maker, at: [whole.id], about: subjectOf(whole.id) ?? '' },
    body: { transactions: [whole.transactions[0]], reason: WHY },
  });
  const decision = { resolution: 'FALSE_POSITIVE', report: 'ARCHIVE', justification: WHY };
  const asked: AskedApproval = await walk.take(`POST ${one}/decision`, { by: maker, at, body: decision });
  await approve(t.api.asOperator(bruno), { body: { data: asked } });
  const gap = await aGap(customerId);
  const ofMaker = (): string => `operator:${ana.id}`;
  const view = { name: 'Mine', query: 'status=OPEN&sort=CLOCK' };
  const { id: saved } = await walk.take('POST /operator/views', { by: maker, body: view, about: ofMaker });
  await walk.take('PUT /operator/views/:id', { by: maker, at: [saved], body: view, about: ofMaker });
  await walk.take('DELETE /operator/views/:id', { by: maker, at: [saved], about: ofMaker });
  await walk.take('POST /operator/reviews/decisions', {
    by: maker,
    body: { ...decision, reviewIds: [gap] },
    about: ({ items }: { items: readonly { approvalId: string }[] }) =>
      subjectOf(items[0]?.approvalId ?? '') ?? '',
  });
  await walk.take(`POST ${one}/reopen`, { by: maker, at, body: { reason: WHY } });
  const artifact = await anArtifact(t, client.organisationId);
  await walk.take('POST /operator/artifacts/:id/original', {
    by: maker,
    at: [publicId('art', artifact.id)],
    body: { reason: WHY },
  });
  await walk.take('POST /operator/artifacts/:id/link', {
    by: maker,
    at: [publicId('art', artifact.id)],
    body: { customerId },
  });
});

part('types the metadata of a house', async () => {
  const field = { name: 'store', path: 'shop.store', type: 'string', history: 'VALUE' };
  const { id, digest } = await walk.take<AskedApproval>('POST /operator/custom-fields', {
    by: maker,
    body: { fields: [field], reason: WHY },
    about: asked,
  });
  await walk.take('POST /operator/approvals/:id/approve', { by: checker, at: [id], body: { digest } });
  const schema = await rowOf('cfs', 'SELECT id FROM custom_field_schemas');
  const failed = await rowOf(
    'cfb',
    `INSERT INTO custom_field_backfills (id, organisation_id, schema_version, fields, status, begins_at, failure_code, finished_at)
     SELECT gen_random_uuid(), organisation_id, version, '{1}', 'FAILED', now(), 'ATTEMPTS_EXHAUSTED', now()
     FROM custom_field_schemas RETURNING id`,
  );
  await walk.take('POST /operator/custom-fields/backfills/:id/retry', {
    by: maker,
    at: [failed],
    about: subjectOf(schema) ?? '',
  });
});

part('identifies people in sessions', async () => {
  const key = 'walked';
  const flow = { ...defaultFlows['step-up'] };
  const first = await walk.take<AskedApproval>('POST /operator/flows', {
    by: maker,
    body: { key, ...flow, reason: WHY },
    about: asked,
  });
  await walk.take('POST /operator/approvals/:id/approve', {
    by: checker,
    at: [first.id],
    body: { digest: first.digest },
  });
  const second = await walk.take<AskedApproval>('POST /operator/flows/:key/versions', {
    by: maker,
    at: [key],
    body: { ...flow, name: { 'pt-BR': 'Outra', en: 'Other' }, reason: WHY },
    about: asked,
  });
  await approve(t.api.asOperator(bruno), { body: { data: second } });
  await walk.take('POST /operator/flows/:key/rollback', {
    by: maker,
    at: [key],
    body: { version: 1, reason: WHY },
    about: asked,
  });
  const drafted = async (): Promise<string> => {
    const { rows } = await t.owner.query<{ id: string }>('SELECT id FROM flow_drafts WHERE key = $1', [key]);
    return `flow_draft:${rows[0]?.id ?? ''}`;
  };
  const definition = { ...flow, name: { 'pt-BR': 'Mais uma' } };
  await walk.take('POST /operator/flows/check', { by: maker, body: { definition } });
  const draft = '/operator/flows/:key/draft';
  await walk.take(`PUT ${draft}`, { by: maker, at: [key], body: { definition }, about: drafted });
  await walk.take(`POST ${draft}/preview`, { by: maker, at: [key] });
  const revision = { revision: 1, reason: WHY };
  await walk.take(`POST ${draft}/publish`, { by: maker, at: [key], body: revision, about: asked });
  await walk.take(`DELETE ${draft}`, { by: maker, at: [key], about: await drafted() });

  const row = (type: string, table: string) => async (): Promise<string> => {
    const { rows } = await t.owner.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`);
    return `${type}:${rows[0]?.id ?? ''}`;
  };
  await walk.take('PUT /operator/privacy-notice', {
    by: maker,
    about: row('privacy_notice', 'privacy_notices'),
  });
  await walk.take('PUT /operator/reverification', {
    by: maker,
    about: row('reverification', 'reverification_terms'),
  });
  const provider = { name: 'walked', checks: ['ONE_TIME_CODE'], url: carrier.url, reason: WHY };
  const wanted = await walk.take<AskedApproval>('POST /operator/providers', {
    by: maker,
    body: provider,
    about: asked,
  });
  await approve(t.api.asOperator(bruno), { body: { data: wanted } });
  const about = row('provider', 'check_providers');
  await walk.take('POST /operator/providers/:name/secret', { by: maker, at: ['walked'], about });
  interface Link {
    readonly sessionId: string;
    readonly reference: string;
  }
  const sessionOf = ({ reference }: Link): string => subjectOf(reference) ?? '';
  const body = { flowKey: 'onboarding-pf' };
  const made = await walk.take<Link>('POST /operator/kyc-sessions', { by: maker, body, about: sessionOf });
  await walk.take('POST /operator/kyc-sessions/:id/cancel', { by: maker, at: [made.reference] });
  const link = await walk.take<Link>('POST /kyc-sessions', { by: integrator, body, about: sessionOf });
  const person = as(sessionOf(link));
  const at = [link.sessionId];
  await walk.take('PUT /kyc-sessions/:id/steps/:stepId', {
    by: person,
    at: [...at, 'privacy'],
    body: { userData: { privacy: true } },
  });
  const picture = (seed: number): Promise<Buffer> => aPicture(800, 600, seed).jpeg().toBuffer();
  for (const [stepId, side] of [
    ['document', 'FRONT'],
    ['document', 'BACK'],
    ['selfie', ''],
  ] as const) {
    await walk.take('POST /kyc-sessions/:id/upload', {
      by: person,
      at,
      file: await picture(stepId.length + side.length),
      form: { stepId, ...(side === '' ? {} : { side, documentType: 'RG' }) },
      about: ({ artifactId }: { artifactId: string }) => subjectOf(artifactId) ?? '',
    });
  }
  await walk.take('POST /kyc-sessions/:id/complete', {
    by: person,
    at,
    body: {
      userData: PERSON_ANSWERS,
    },
    about: sessionOf(link),
  });
  await eventually('the session is checked', async () => {
    const { rows } = await t.owner.query<{ status: string }>(
      'SELECT status FROM kyc_sessions WHERE id = $1',
      [uuidIn('kys', link.reference)],
    );
    return rows[0]?.status === 'COMPLETED';
  });
  await walk.take('POST /operator/kyc-sessions/:id/evidence/reveal', {
    by: maker,
    at: [link.reference],
    body: { reason: WHY },
  });
  await walk.take('POST /operator/kyc-sessions/:id/resubmissions', {
    by: maker,
    at: [link.reference],
    body: { steps: [{ stepId: 'selfie', reason: 'Outra foto, por favor.' }] },
  });

  await withFlow(t, client.organisationId, { ...SAID, key: 'said' });
  const again = (): Promise<Link> =>
    walk.take<Link>('POST /operator/kyc-sessions', {
      by: maker,
      body: { flowKey: 'said', customerId },
      about: sessionOf,
    });
  const customerId = await aCustomer();
  const verified = await again();
  const file = await documentPhoto('cnh', { seed: 11 });
  const upload = t.api.post(`/kyc-sessions/${verified.sessionId}/upload`);
  await upload.attach('file', file, 'cnh.jpg').expect(201);
  const me = { name: 'Ana Pessoa Ficticia', cpf: cpfOf('walked'), email: 'ana@exemplo.com.br' };
  await t.api.post(`/kyc-sessions/${verified.sessionId}/complete`).send({ userData: me }).expect(202);
  await eventually('somebody is verified', async () => {
    const { rows } = await t.owner.query<{ outcome: string }>(
      'SELECT outcome FROM kyc_sessions WHERE id = $1 AND defensible',
      [uuidIn('kys', verified.reference)],
    );
    return rows[0]?.outcome === 'APPROVED';
  });
  const next = await again();
  await walk.take('POST /kyc-sessions/:id/reuse', {
    by: as(sessionOf(next)),
    at: [next.sessionId],
    about: sessionOf(next),
  });
  await withFlow(t, client.organisationId, { ...SAID, key: 'coded', steps: [...SAID.steps, CODE_STEP] });
  const ordered = { flowKey: 'coded' };
  const coded = await walk.take<Link>('POST /kyc-sessions', {
    by: integrator,
    body: ordered,
    about: sessionOf,
  });
  const path = `/kyc-sessions/${coded.sessionId}/steps/person`;
  await t.api.call('put', path).send({ userData: me }).expect(200);
  const step = { by: as(sessionOf(coded)), at: [coded.sessionId, 'code'] };
  await walk.take('POST /kyc-sessions/:id/steps/:stepId/code', step);
  await walk.take('POST /operator/providers/:name/disable', { by: maker, at: ['walked'], about });
});

part('lets operators in, and keeps their accounts', async () => {
  const base = '/operator/operators';
  const machine = await walk.take<{ id: string; secret: string }>(`POST ${base}`, {
    by: maker,
    body: { name: 'reports', permissions: ['kyt:read'] },
  });
  const renewed = await walk.take<{ secret: string }>(`POST ${base}/:id/secret`, {
    by: maker,
    at: [machine.id],
  });
  await walk.take('POST /operator/auth/token', {
    by: as(`operator:${uuidIn('opr', machine.id)}`),
    body: { operatorId: machine.id, secret: renewed.secret },
    about: subjectOf(machine.id) ?? '',
  });
  const agreed = async (asked: Promise<AskedApproval>): Promise<AskedApproval> => {
    const made = await asked;
    await approve(t.api.asOperator(bruno), { body: { data: made } });
    return made;
  };
  const invite = async (): Promise<{ id: string; token: string }> => {
    const email = `${unique()}@example.com`;
    const body = { email, name: 'Walked', roles: ['ANALYST', 'AUDITOR'], reason: WHY };
    const { subjectId: id } = await agreed(
      walk.take('POST /operator/invitations', { by: maker, body, about: asked }),
    );
    return { id, token: await invitedToken(t, email) };
  };
  await walk.take('DELETE /operator/invitations/:id', { by: maker, at: [(await invite()).id] });

  const invitation = await invite();
  const person = await walk.take<{ id: string; email: string }>('POST /operator/auth/invitations/accept', {
    by: as(({ id }: { id: string }) => `operator:${uuidIn('opr', id)}`),
    body: { token: invitation.token, password: PASSWORD },
    about: subjectOf(invitation.id) ?? '',
  });
  const at = [person.id];
  await walk.take(`PATCH ${base}/:id`, { by: maker, at, body: { roles: ['AUDITOR'] } });
  await walk.take(`POST ${base}/:id/disable`, { by: maker, at });
  const why = { reason: WHY };
  await agreed(walk.take(`POST ${base}/:id/enable`, { by: maker, at, body: why, about: asked }));
  const roles = ['ANALYST', 'AUDITOR'];
  await agreed(walk.take(`POST ${base}/:id/roles`, { by: maker, at, body: { roles, ...why }, about: asked }));
  const { email } = person;
  const about = subjectOf(person.id) ?? '';
  const self = as(`operator:${uuidIn('opr', person.id)}`);
  interface Grant {
    readonly accessToken: string;
    readonly refreshToken: string;
    readonly sessionId: string;
  }
  let seed = '';
  const code = async (): Promise<string> => {
    // Each code is good once; as if the last one had been shown long ago.
    await t.owner.query('UPDATE operators SET totp_last_step = 0 WHERE id = $1 AND totp_last_step > 0', [
      uuidIn('opr', person.id),
    ]);
    return codeAt(seed, Date.now());
  };
  const login = (): Promise<Grant> =>
    walk.take('POST /operator/auth/login', { by: self, body: { email, password: PASSWORD }, about });
  const holding = ({ accessToken }: Grant): Walker =>
    asOperator({ id: uuidIn('opr', person.id), token: accessToken });

  const ended = await login();
  const grant = await walk.take<Grant>('POST /operator/auth/refresh', {
    by: self,
    body: { refreshToken: (await login()).refreshToken },
  });
  const by = holding(grant);
  await walk.take('DELETE /operator/me/sessions/:id', { by, at: [ended.sessionId], about });
  const me = '/operator/me';
  ({ secret: seed } = await walk.take<{ secret: string }>(`POST ${me}/totp`, {
    by,
    body: { password: PASSWORD },
  }));
  await walk.take(`POST ${me}/totp/confirm`, { by, body: { code: await code() }, about });
  await t.owner.query('UPDATE operator_sessions SET strong = false WHERE id = $1', [
    uuidIn('ops', grant.sessionId),
  ]);
  await walk.take(`POST ${me}/step-up`, { by, body: { totp: await code() }, about });
  const added = [];
  let key = new SoftwareAuthenticator('http://localhost:0');
  for (const name of ['one', 'two']) {
    key = new SoftwareAuthenticator('http://localhost:0');
    const { publicKey } = await walk.take<{ publicKey: Parameters<typeof key.create>[0] }>(
      `POST ${me}/passkeys/options`,
      { by, body: { password: PASSWORD, totp: await code() } },
    );
    const body = { name, credential: key.create(publicKey) };
    added.push(await walk.take<{ id: string }>(`POST ${me}/passkeys/verify`, { by, body, about }));
  }
  await walk.take(`POST ${me}/passkeys/:id/remove`, {
    by,
    at: [added[0]?.id ?? ''],
    body: { password: PASSWORD, totp: await code() },
    about,
  });
  await walk.take(`POST ${me}/step-up/options`, { by });
  const loginOptions = await walk.take<{ publicKey: Parameters<typeof key.get>[0] }>(
    'POST /operator/auth/passkeys/options',
    { by: self },
  );
  await walk.take('POST /operator/auth/passkeys/verify', {
    by: self,
    body: { credential: key.get(loginOptions.publicKey) },
    about,
  });
  await walk.take(`POST ${me}/recovery-codes`, {
    by,
    body: { password: PASSWORD, totp: await code() },
    about,
  });
  await walk.take(`POST ${me}/password`, {
    by,
    body: { password: PASSWORD, totp: await code(), newPassword: OTHER_PASSWORD },
    about,
  });
  await walk.take('POST /operator/auth/logout', { by, about });
  const again = await t.operator({ organisationId: client.organisationId });
  await walk.take('POST /operator/auth/logout-everywhere', {
    by: asOperator(again),
    about: `operator:${again.id}`,
  });
  await walk.take(`POST ${base}/:id/totp/reset`, { by: maker, at, body: why, about: asked });
  const watched = await t.operator({ organisationId: client.organisationId });
  await walk.take(`POST ${base}/:id/sessions/end`, { by: maker, at: [publicId('opr', watched.id)] });

  const fresh = `org-${unique()}`;
  const organisationId = await t.app.get(ClientAppsService).ensureOrganisation(fresh, fresh);
  await walk.take('POST /operator/auth/setup', {
    by: as('system:setup'),
    body: {
      token: await t.app.get(InvitationsService).createSetupToken(organisationId),
      email: `${fresh}@example.com`,
      name: 'First',
      password: PASSWORD,
    },
  });
});

part('repairs and exports', async () => {
  await walk.take('POST /operator/audit/exports', { by: maker, body: { reason: WHY, auditReady: false } });
  const witness = createSigner('outside', randomBytes(32));
  const { checkpoint } = await t.app.get(LogAuditorService).readStatus(client.organisationId);
  const note = checkpoint!.note + cosignatureLine(parseNote(checkpoint!.note)!.text, witness, 1_790_000_000);
  await walk.take('POST /operator/audit/witnesses', {
    by: maker,
    body: { note, key: formatVerifierKey(witness) },
    about: `audit_log:${client.organisationId}`,
  });
  const transaction = await processed();
  await behindItsBack(
    t,
    'kyt_evaluations',
    'UPDATE kyt_evaluations SET risk_score = 99 WHERE transaction_ref = $1',
    [uuidIn('txn', transaction)],
  );
  await walk.take('POST /operator/audit/repairs', {
    by: maker,
    body: { subjectType: 'transaction', subjectId: transaction, kind: 'ATTEST', justification: WHY },
    about: asked,
  });
});

part('goes on with the log itself', async () => {
  const { rows } = await t.owner.query<{ size: string; root: Buffer }>(
    'SELECT size, root FROM audit_logs WHERE organisation_id = $1',
    [client.organisationId],
  );
  const { organisationId } = client;
  const anchor = {
    organisationId,
    incarnation: 1,
    size: Number(rows[0]?.size) + 1_000,
    root: Buffer.alloc(32),
  };
  await t.app.get(RollbackGuard).stop(anchor);
  const base = '/operator/audit/log-restarts';
  const about = `audit_log:${organisationId}`;
  // Those who walked before may have been disabled since.
  const by = asOperator(await t.operator({ roles: [...roles], organisationId }));
  await walk.take(`POST ${base}`, { by, body: { reason: WHY }, about });
});
