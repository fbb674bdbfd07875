import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalsService } from '../../src/features/approvals/index.js';
import { systemActor } from '../../src/features/audit/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import type { Role } from '../../src/platform/http/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { mailFor } from '../support/outbox.js';

const WHY = 'Agreed in the meeting of the committee.';
const SANCTIONED = 'Anacleto Sancionado Ficticio';
const UN = [SANCTIONED, ...Array.from({ length: 9 }, (_, i) => `Fulano Ficticio ${i}`)];

let t: TestApp;
let client: TestClient;
let analyst: TestApi;
let officer: TestApi;
let second: TestApi;
let list: string;

beforeAll(async () => {
  t = await startTestApp({ settings: { machineOperators: true } });
  client = await t.client({ rules: false });
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  analyst = await by('ANALYST');
  officer = await by('COMPLIANCE_OFFICER');
  second = await by('COMPLIANCE_OFFICER');
  await fill('un', 'SANCTIONS', UN);
  await fill('pep', 'PEP', ['Otavio Politico Ficticio']);
  list = (await lists()).find(({ key }) => key === 'un')!.id;
});
afterAll(async () => {
  await t.close();
});

async function person(...roles: Role[]): Promise<TestOperator> {
  return t.operator({ roles, organisationId: client.organisationId });
}
async function by(...roles: Role[]): Promise<TestApi> {
  return t.api.asOperator(await person(...roles));
}
const lists = async (): Promise<{ id: string; key: string }[]> =>
  (await officer.get('/operator/lists').expect(200)).body.data as { id: string; key: string }[];

const fileOf = (names: readonly string[]): Buffer =>
  Buffer.from(
    `key;name;kind;birthDate;type;value\n${names.map((name, i) => `u${i};${name};PERSON;;;\n`).join('')}`,
  );

async function fill(
  key: string,
  kind: 'SANCTIONS' | 'PEP',
  names: readonly string[],
  { organisationId } = client,
): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  const row = await t.app
    .get(ScreeningListsService)
    .ensure(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
  const { id } = await t.app.get(ListImporterService).begin(ctx, row, null);
  const main = Readable.from([fileOf(names)]);
  await t.app
    .get(ListImporterService)
    .run(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
}

async function paid(customer: string, name: string, as = client): Promise<TransactionAnswer> {
  const transactionId = `insider-${randomBytes(6).toString('hex')}`;
  const body = aTransaction({
    transactionId,
    externalCustomerId: `customer-${customer}`,
    cpfCnpj: customer,
    amount: 100,
    origin: { name: 'Maria Exemplo', cpfCnpj: customer, country: 'BR' },
    destination: { name, accountReference: '0001-77', country: 'BR' },
  });
  await t.api.as(as).ingest(body).expect(202);
  return t.api.as(as).settled(transactionId);
}

/** Tries to approve an own request in every way that one person has, and withdraws it. */
async function fails(own: TestApi, asked: { readonly body: unknown }): Promise<void> {
  const { id, approvalId = id } = askedIn(asked);
  const path = `/operator/approvals/${approvalId}`;
  const { digest, status } = askedIn(await own.get(path).expect(200));
  expect(status).toBe('REQUESTED');
  for (const consent of [{ digest }, { digest, singleControl: true }]) {
    const answer = await own.post(`${path}/approve`).send(consent);
    expect([answer.status, ['FOUR_EYES_REQUIRED', 'PERMISSION_DENIED']]).toEqual([
      403,
      expect.arrayContaining([(answer.body as { error: { code: string } }).error.code]),
    ]);
  }
  await t.app.get(ApprovalsService).sweep();
  await own.post(`${path}/withdraw`).send({ reason: 'Tried alone, and refused.' }).expect(200);
}

const one = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row> =>
  (await t.owner.query<Row>(sql, values)).rows[0]!;

describe('One analyst', () => {
  it('does not dismiss a UN hit: the next payments to that name, of whichever customer, are held', async () => {
    expect((await paid(CPF.customer, SANCTIONED)).outcome).toBe('REVIEW');
    const { body } = await analyst.get('/operator/hits?mandatory=true&status=PENDING').expect(200);
    const [hit] = body.data as { id: string }[];
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
    const path = `/operator/hits/${hit!.id}`;
    expectError(await analyst.post(`${path}/disposition`).send(dismissal), 403, 'FOUR_EYES_REQUIRED');
    await fails(analyst, await analyst.post(`${path}/proposals`).send(dismissal).expect(202));
    for (const customer of [CPF.customer, CPF.payee]) {
      expect(await paid(customer, SANCTIONED)).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
    }
  });

  it('does not lower the risk level of a customer, one by one or in bulk', async () => {
    const id = await aCustomer('risky');
    const path = `/operator/customers/${publicId('cus', id)}/risk-level`;
    await analyst.call('put', path).send({ riskLevel: 'HIGH' }).expect(200);
    expectError(await analyst.call('put', path).send({ riskLevel: 'LOW' }), 403, 'FOUR_EYES_REQUIRED');
    const body = { riskLevel: 'LOW', reason: WHY };
    await fails(analyst, await analyst.post(`${path}/lower`).send(body).expect(202));
    expect(await one('SELECT risk_level FROM customers WHERE id = $1', id)).toEqual({ risk_level: 'HIGH' });
  });
});

describe('One officer', () => {
  it('does not set thresholds to 1, nor lets a list be fresh for ever, nor takes it out of use', async () => {
    const terms = `SELECT mandatory_threshold, stale_after_days, archived_at FROM screening_lists
      WHERE organisation_id = $1 AND key = 'un'`;
    const before = await one(terms, client.organisationId);
    for (const change of [
      { evidenceThreshold: 1, mandatoryThreshold: 1 },
      { staleAfterDays: null },
      { archived: true },
    ]) {
      const asked = await officer.post(`/operator/lists/${list}/changes`).send({ ...change, reason: WHY });
      await fails(officer, asked);
    }
    expect(await one(terms, client.organisationId)).toEqual(before);
    const weak = await t.operator({
      roles: ['COMPLIANCE_OFFICER'],
      organisationId: client.organisationId,
      strong: false,
    });
    const change = { archived: true, reason: WHY };
    expectError(
      await t.api.asOperator(weak).post(`/operator/lists/${list}/changes`).send(change),
      403,
      'STRONG_LOGIN_REQUIRED',
    );
  });

  it('does not make a list beside it that finds nobody', async () => {
    const body = { key: 'mine', name: 'UN', kind: 'SANCTIONS', format: 'HOUSE_CSV' };
    for (const weaker of [
      { evidenceThreshold: 1, mandatoryThreshold: 1 },
      { mandatoryThreshold: 0.99 },
      { staleAfterDays: null },
      { staleAfterDays: 366 },
    ]) {
      const answer = await officer.post('/operator/lists').send({ ...body, ...weaker });
      expectError(answer, 403, 'FOUR_EYES_REQUIRED');
    }
    expect((await lists()).map(({ key }) => key)).not.toContain('mine');
  });

  it.each([
    ['lost nearly all of its entries', ['Fulano Ficticio 1']],
    ['has other names under the same keys', Array.from({ length: 10 }, (_, i) => `Outra Pessoa ${i}`)],
  ])('does not publish an import of their own that %s', async (_, names) => {
    const begun = await officer
      .post(`/operator/lists/${list}/imports`)
      .attach('file', fileOf(names), 'list.csv')
      .expect(202);
    const path = `/operator/lists/${list}/imports/${askedIn(begun).id}`;
    await eventually('the import waits', async () => {
      const { data } = (await officer.get(path).expect(200)).body as { data: { status: string } };
      return data.status === 'AWAITING_CONFIRMATION';
    });
    await fails(officer, await officer.post(`${path}/confirm`).send({ reason: WHY }).expect(202));
    await officer.post(`${path}/reject`).send({}).expect(200);
    await t.app.get(SearchIndexService).refresh();
    expect((await paid(CPF.customer, SANCTIONED)).outcome).toBe('REVIEW');
  });

  it('does not leave the one name out that they want to be cleared', async () => {
    const file = fileOf(UN)
      .toString()
      .split('\n')
      .filter((line) => !line.includes(SANCTIONED));
    expect(file).toHaveLength(UN.length + 1);
    const begun = await officer
      .post(`/operator/lists/${list}/imports`)
      .attach('file', Buffer.from(file.join('\n')), 'list.csv')
      .expect(202);
    const path = `/operator/lists/${list}/imports/${askedIn(begun).id}`;
    await eventually('the import waits', async () => {
      const { data } = (await officer.get(path).expect(200)).body as { data: { reason: string } };
      return data.reason === 'LIST_LOSES';
    });
    await fails(officer, await officer.post(`${path}/confirm`).send({ reason: WHY }).expect(202));
    await officer.post(`${path}/reject`).send({}).expect(200);
    await t.app.get(SearchIndexService).refresh();
    expect((await paid(CPF.customer, SANCTIONED)).outcome).toBe('REVIEW');
  });

  it('does not begin a list of sanctions beside it with half a file', async () => {
    const body = { key: 'half', name: 'UN', kind: 'SANCTIONS', format: 'HOUSE_CSV' };
    const { id } = askedIn(await officer.post('/operator/lists').send(body).expect(201));
    const begun = await officer
      .post(`/operator/lists/${id}/imports`)
      .attach('file', fileOf(['Fulano Ficticio 1']), 'list.csv')
      .expect(202);
    const path = `/operator/lists/${id}/imports/${askedIn(begun).id}`;
    await eventually('the import waits', async () => {
      const { data } = (await officer.get(path).expect(200)).body as { data: { reason: string } };
      return data.reason === 'LIST_BEGINS';
    });
    await fails(officer, await officer.post(`${path}/confirm`).send({ reason: WHY }).expect(202));
    await officer.post(`${path}/reject`).send({}).expect(200);
    expect((await officer.get(`/operator/lists/${id}`).expect(200)).body).toMatchObject({
      data: { entries: 0, sequence: 0 },
    });
  });

  it('does not publish a flow that asks for nothing, nor by a machine', async () => {
    const { body } = await officer.get('/operator/flows/onboarding-pf').expect(200);
    const { definition, version } = (body as { data: { definition: object; version: number } }).data;
    const path = '/operator/flows/onboarding-pf/versions';
    const blind = { ...definition, requiredChecks: [], reason: WHY };
    await fails(officer, await officer.post(path).send(blind).expect(202));
    const fresh = { ...definition, key: 'blind', requiredChecks: [], reason: WHY };
    await fails(officer, await officer.post('/operator/flows').send(fresh).expect(202));
    expectError(await officer.get('/operator/flows/blind'), 404, 'FLOW_NOT_FOUND');
    expect((await officer.get('/operator/flows/onboarding-pf').expect(200)).body).toMatchObject({
      data: { version },
    });
  });

  it('does not silence a live rule, nor take it out of the live ruleset', async () => {
    const until = new Date(Date.now() + 25 * 86_400_000).toISOString();
    const path = '/operator/rulesets/br-starter/rules/BR-PIX-16';
    await fails(officer, await officer.post(`${path}/snooze`).send({ until, reason: WHY }).expect(202));
    await officer.post(`${path}/mode`).send({ mode: 'DISABLED' }).expect(201);
    const live = await one<{ mode: string }>(
      `SELECT rule ->> 'mode' AS mode FROM rulesets, jsonb_array_elements(content -> 'rules') AS rule
       WHERE organisation_id = $1 AND status = 'PUBLISHED' AND rule ->> 'key' = 'BR-PIX-16'`,
      client.organisationId,
    );
    expect(live.mode).toBe('LIVE');
    expect(await one('SELECT count(*)::int AS n FROM rule_snoozes')).toEqual({ n: 0 });
  });

  it('does not erase a person, nor ends a hold; what two people approved waits three days', async () => {
    const id = await aCustomer('to-erase');
    const path = `/operator/customers/${publicId('cus', id)}`;
    const standing = async (): Promise<object> =>
      one(
        `SELECT c.erased_at, c.legal_hold_at IS NOT NULL AS held, count(k.erase_requested_at)::int AS erasing
         FROM customers c LEFT JOIN subject_keys k ON k.subject_index = c.subject_index
         WHERE c.id = $1 GROUP BY c.erased_at, c.legal_hold_at`,
        id,
      );
    await fails(officer, await officer.post(`${path}/erase`).send({ reason: WHY }).expect(202));
    await officer.post(`${path}/legal-hold`).send({ reason: WHY }).expect(200);
    await fails(officer, await officer.post(`${path}/legal-hold/lift`).send({ reason: WHY }).expect(202));
    expect(await standing()).toEqual({ erased_at: null, held: true, erasing: 0 });
    await approve(second, await officer.post(`${path}/legal-hold/lift`).send({ reason: WHY }).expect(202));
    await approve(second, await officer.post(`${path}/erase`).send({ reason: WHY }).expect(202));
    await t.app.get(ApprovalsService).sweep();
    expect(await standing()).toEqual({ erased_at: null, held: false, erasing: 0 });
  });
});

describe('One administrator', () => {
  it('does not decide alone after sending the others away', async () => {
    const { organisationId } = await t.operator();
    const both: Role[] = ['ADMIN', 'COMPLIANCE_OFFICER'];
    const ana = await t.operator({ organisationId, roles: both });
    const bea = await t.operator({ organisationId, roles: both });
    const own = t.api.asOperator(ana);
    const body = { key: 'theirs', name: 'UN', kind: 'SANCTIONS', format: 'HOUSE_CSV' };
    const { id } = askedIn(await own.post('/operator/lists').send(body).expect(201));
    await own.post(`/operator/operators/${publicId('opr', bea.id)}/disable`).expect(200);
    const change = { mandatoryThreshold: 1, reason: WHY };
    await fails(own, await own.post(`/operator/lists/${id}/changes`).send(change).expect(202));
    // Nor are roles taken away first.
    const carla = await t.operator({ organisationId, roles: both });
    const dora = await t.operator({ organisationId, roles: both });
    const taken = { roles: ['ADMIN'] };
    await t.api
      .asOperator(dora)
      .call('patch', `/operator/operators/${publicId('opr', carla.id)}`)
      .send(taken)
      .expect(200);
    await t.owner.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [ana.id]);
    const third = t.api.asOperator(dora);
    await fails(third, await third.post(`/operator/lists/${id}/changes`).send(change).expect(202));
  });

  it('sends the others away in every way, and nobody decides a payment alone; all of them have a mail', async () => {
    const their = await t.client({ rules: false });
    const { organisationId } = their;
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    await fill('un', 'SANCTIONS', UN, their);
    await fill('pep', 'PEP', ['Otavio Politico Ficticio'], their);
    const admins = [await t.operator({ organisationId }), await t.operator({ organisationId })] as const;
    const [olga, otto, accomplice] = [
      await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] }),
      await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER', 'AUDITOR'] }),
      await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] }),
    ];
    const own = t.api.asOperator(admins[0]);
    const of = ({ id }: TestOperator): string => `/operator/operators/${publicId('opr', id)}`;
    const payment = await paid(CPF.customer, SANCTIONED, their);
    expect(payment).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });

    // One whose invitation both administrators agreed about, and who comes when the others are gone.
    for (const { id } of admins) {
      await t.owner.query(
        `INSERT INTO operator_lineage (id, organisation_id, operator_id, by_id, kind, single_control)
         VALUES ($1, $2, $3, $4, 'INVITED', false)`,
        [randomUUID(), organisationId, accomplice.id, id],
      );
    }
    await own.post(`${of(admins[1])}/disable`).expect(200);
    await own.post(`${of(olga)}/disable`).expect(200);
    await own
      .call('patch', of(otto))
      .send({ roles: ['AUDITOR'] })
      .expect(200);
    const invitation = {
      ...{ email: `i-${randomUUID()}@example.com`, name: 'I', roles: ['COMPLIANCE_OFFICER'] },
      reason: WHY,
    };
    await fails(own, await own.post('/operator/invitations').send(invitation).expect(202));
    const roles = { roles: ['AUDITOR', 'COMPLIANCE_OFFICER'], reason: WHY };
    await fails(
      own,
      await own
        .post(`${of(otto)}/roles`)
        .send(roles)
        .expect(202),
    );

    const alone = t.api.asOperator(accomplice);
    const { body } = await alone.get('/operator/hits?mandatory=true&status=PENDING').expect(200);
    const [hit] = body.data as { id: string }[];
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
    await fails(alone, await alone.post(`/operator/hits/${hit!.id}/proposals`).send(dismissal).expect(202));
    const { body: now } = await t.api.as(their).get(`/kyt/transactions/${payment.transactionId}`).expect(200);
    for (const one of [now.data as TransactionAnswer, await paid(CPF.payee, SANCTIONED, their)]) {
      expect(one).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
    }
    for (const [who, what] of [
      [admins[1], 'DISABLED'],
      [olga, 'DISABLED'],
      [otto, '- COMPLIANCE_OFFICER'],
    ] as const) {
      for (const { email } of [who, admins[0]]) {
        const told = await mailFor(t, email);
        expect(told.filter((text) => text.includes(`<${who.email}>: ${what}`))).toHaveLength(1);
      }
    }
  });

  it('makes no dollar cheap, under which every limit in dollars would stand', async () => {
    const [admin] = [await by('ADMIN'), await by('ADMIN')];
    const rates = [{ currency: 'USD', date: '2026-11-20', rate: '0.01' }];
    const asked = await admin.post('/operator/fx/rates').send({ source: 'PTAX', rates, reason: WHY });
    await fails(admin, asked);
    expect(await one('SELECT count(*)::int AS n FROM fx_rates')).toEqual({ n: 0 });
  });

  it('invites nobody, empowers nobody and sees no token', async () => {
    const own = await by('ADMIN');
    const dev = await person('DEVELOPER');
    await by('ADMIN');
    const invitation = { email: `i-${randomUUID()}@example.com`, name: 'I', roles: ['COMPLIANCE_OFFICER'] };
    const asked = await own
      .post('/operator/invitations')
      .send({ ...invitation, reason: WHY })
      .expect(202);
    expect(JSON.stringify(asked.body)).not.toContain('vit_');
    await fails(own, asked);
    const roles = { roles: ['DEVELOPER', 'COMPLIANCE_OFFICER'] };
    const path = `/operator/operators/${publicId('opr', dev.id)}`;
    expectError(await own.call('patch', path).send(roles), 403, 'FOUR_EYES_REQUIRED');
    await fails(
      own,
      await own
        .post(`${path}/roles`)
        .send({ ...roles, reason: WHY })
        .expect(202),
    );
    expect(await one('SELECT roles FROM operators WHERE id = $1', dev.id)).toEqual({ roles: ['DEVELOPER'] });
    expect(
      await one('SELECT count(*)::int AS n FROM operator_invitations WHERE email = $1', invitation.email),
    ).toEqual({ n: 0 });
  });
});

describe('One developer', () => {
  let letter: string;
  let stored: string;

  beforeAll(async () => {
    const { transactionId } = await paid(CPF.customer, 'Maria Outra');
    const { id } = await one<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
      transactionId,
    );
    await t.owner.query(
      `INSERT INTO kyt_work (transaction_ref, organisation_id, status, due_at, failure_code, failure_stage)
       VALUES ($1, $2, 'DEAD_LETTERED', 'infinity', 'TEST', 'OPEN')`,
      [id, client.organisationId],
    );
    stored = id;
    letter = publicId('txn', id);
  });

  const discarded = (): Promise<object> =>
    one('SELECT discarded_at FROM kyt_work WHERE transaction_ref = $1', stored);

  it('discards no dead letter, one by one or many', async () => {
    const own = await by('DEVELOPER');
    await by('DEVELOPER');
    const path = '/operator/dead-letters';
    await fails(own, await own.post(`${path}/${letter}/discard`).send({ reason: WHY }).expect(202));
    await fails(own, await own.post(`${path}/discards`).send({ reason: WHY }).expect(202));
    expect(await discarded()).toEqual({ discarded_at: null });
  });

  it('does not ask by a machine whose secret they hold, to approve it as a person', async () => {
    const admin = await by('ADMIN');
    const machine = { name: 'Replayer', permissions: ['kyt:read', 'kyt:replay'] };
    const { body } = await admin.post('/operator/operators').send(machine).expect(201);
    const { id, secret } = body.data as { id: string; secret: string };
    const login = { operatorId: id, secret };
    const { body: granted } = await t.api.post('/operator/auth/token').send(login).expect(200);
    const { accessToken } = granted.data as { accessToken: string };
    const answer = await t.api
      .post(`/operator/dead-letters/${letter}/discard`)
      .set('authorization', `Bearer ${accessToken}`)
      .send({ reason: WHY });
    expectError(answer, 403, 'FOUR_EYES_REQUIRED');
    expect(await discarded()).toEqual({ discarded_at: null });
  });
});

async function aCustomer(externalCustomerId: string): Promise<string> {
  const [found] = await t.app.get(CustomerIdentificationService).identify([
    {
      organisationId: client.organisationId,
      clientAppId: null,
      externalCustomerId,
      taxId: null,
      name: null,
      birthDate: null,
      by: 'SESSION',
      requestId: null,
      correlationId: 'insiders',
      traceparent: null,
    },
  ]);
  return found!.customerId;
}
