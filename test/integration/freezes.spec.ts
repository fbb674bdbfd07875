import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditTrail, systemActor } from '../../src/features/audit/index.js';
import { newUuid, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/answers.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;
let client: TestClient;
let api: TestApi;
let first: TestApi;
let second: TestApi;

const FROZEN = 'Anacleto Sancionado Ficticio';
const JUSTIFICATION = 'The identity document is that of the designated person.';
const REASON = 'The committee has removed the designation.';

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  api = t.api.as(client);
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  first = await officer();
  second = await officer();
  await fill('un', 'SANCTIONS', `u1;${FROZEN};PERSON;;;`);
  await fill('pep', 'PEP', 'p1;Otavio Politico Ficticio;PERSON;;;');
});

afterAll(async () => {
  await t.close();
});

async function fill(
  key: string,
  kind: 'SANCTIONS' | 'PEP',
  line: string,
  { organisationId } = client,
): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  const row = await t.app
    .get(ScreeningListsService)
    .findOrCreate(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
  const { id } = await t.app.get(ListImporterService).startImport(ctx, row, null);
  const main = Readable.from([Buffer.from(`key;name;kind;birthDate;type;value\n${line}\n`)]);
  await t.app
    .get(ListImporterService)
    .runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
  await t.app.get(SearchIndexService).refresh();
}

let last = 0;
async function paid(customer: string, name: string): Promise<TransactionAnswer> {
  last += 1;
  const transactionId = `freeze-${last}`;
  const body = aTransaction({
    transactionId,
    externalCustomerId: `customer-${customer}`,
    cpfCnpj: customer,
    amount: 100,
    origin: { name: 'Maria Exemplo', cpfCnpj: customer, country: 'BR' },
    destination: { name, cpfCnpj: cpfOf(name), accountReference: '0001-77', country: 'BR' },
  });
  await api.ingest(body).expect(202);
  return api.settled(transactionId);
}

interface Freeze {
  readonly id: string;
  readonly hitId: string;
  readonly liftedAt: string | null;
  readonly notices: readonly object[];
}
const freezes = async (): Promise<Freeze[]> =>
  (await first.get('/operator/freezes').expect(200)).body.data as Freeze[];

describe('A designation that two people confirm', () => {
  let freeze: Freeze;

  it('freezes when the second one approves', async () => {
    expect((await paid(CPF.customer, FROZEN)).outcome).toBe('REVIEW');
    const { body } = await first.get('/operator/hits?mandatory=true').expect(200);
    const [hit] = body.data as { id: string }[];
    const decision = { disposition: 'CONFIRMED', justification: JUSTIFICATION };
    const asked = await first.post(`/operator/hits/${hit!.id}/proposals`).send(decision).expect(202);
    expect(await freezes()).toEqual([]);
    await approve(second, asked);
    [freeze] = (await freezes()) as [Freeze];
    expect(freeze).toMatchObject({ hitId: hit!.id, liftedAt: null, notices: [] });
  });

  it('holds every later transaction of that person, of whichever customer and on whichever list', async () => {
    for (const customer of [CPF.customer, CPF.payee]) {
      const answer = await paid(customer, FROZEN);
      expect(answer.nonDefensibleReasons).toContain('FROZEN');
      expect(answer).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD', defensible: false });
    }
    // Until two people lift it, also when the list names somebody else now.
    await fill('un', 'SANCTIONS', 'u2;Belmira Designada Ficticia;PERSON;;;');
    const answer = await paid(CPF.customer, FROZEN);
    expect(answer).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD', nonDefensibleReasons: ['FROZEN'] });
    expect((await paid(CPF.customer, 'Maria Outra')).nonDefensibleReasons).not.toContain('FROZEN');
  });

  it('says who was told', async () => {
    const notice = {
      told: 'COAF',
      reference: 'SEI-08000.000123/2026-11',
      toldAt: new Date().toISOString(),
    };
    for (const [toldAt, code] of [
      ['2026-11-24T12:00:00.000Z', 'TOO_EARLY'],
      [new Date(Date.now() + 3_600_000).toISOString(), 'IN_THE_FUTURE'],
    ]) {
      const refused = await first.post(`/operator/freezes/${freeze.id}/notices`).send({ ...notice, toldAt });
      const { details } = expectError(refused, 400, 'VALIDATION_FAILED');
      expect(details).toMatchObject([{ path: 'toldAt', code }]);
    }
    const { body } = await first.post(`/operator/freezes/${freeze.id}/notices`).send(notice).expect(201);
    expect(body.data).toMatchObject({ id: freeze.id, notices: [notice] });
    expectError(
      await first.post(`/operator/freezes/${freeze.id.replace(/.$/, 'f')}0/notices`).send(notice),
      404,
      'FREEZE_NOT_FOUND',
    );
  });

  it('cannot be taken back while it freezes, nor by the role of the database', async () => {
    const refused = await first.post(`/operator/hits/${freeze.hitId}/reopen`).send({ reason: REASON });
    expectError(refused, 409, 'STATE_CONFLICT');
    const id = uuidOf('frz', freeze.id)!;
    for (const [sql, code] of [
      [`UPDATE freezes SET lifted_at = now() WHERE id = $1`, '23001'],
      [`UPDATE freezes SET subject_index = '\\x00' WHERE id = $1`, '23001'],
      [`UPDATE freezes SET hit_id = id WHERE id = $1`, '42501'],
      [`DELETE FROM freezes WHERE id = $1`, '42501'],
      [`UPDATE freeze_notices SET told = 'BCB' WHERE freeze_id = $1`, '42501'],
      [`DELETE FROM freeze_notices WHERE freeze_id = $1`, '42501'],
    ] as const) {
      expect([sql, await asService(sql, [id])]).toEqual([sql, code]);
    }
  });

  it('ends when two people lift it', async () => {
    const asked = await first
      .post(`/operator/freezes/${freeze.id}/lift`)
      .send({ reason: REASON })
      .expect(202);
    expectError(
      await first
        .post(`/operator/approvals/${(asked.body as { data: { id: string } }).data.id}/approve`)
        .send({
          digest: (asked.body as { data: { digest: string } }).data.digest,
        }),
      403,
      'FOUR_EYES_REQUIRED',
    );
    expect((await paid(CPF.customer, FROZEN)).nonDefensibleReasons).toContain('FROZEN');
    await approve(second, asked);
    await eventually('nobody is frozen', async () => {
      const { nonDefensibleReasons } = await paid(CPF.customer, FROZEN);
      return !nonDefensibleReasons.includes('FROZEN');
    });
    expect((await freezes())[0]!.liftedAt).not.toBeNull();
    const again = await first.post(`/operator/freezes/${freeze.id}/lift`).send({ reason: REASON });
    expectError(again, 409, 'STATE_CONFLICT');
    const subject = {
      organisationId: client.organisationId,
      type: 'freeze',
      id: uuidOf('frz', freeze.id)!,
    } as const;
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
  });
});

describe('A freeze that one person ended alone', () => {
  it('leaves its mark on every later result about the person', async () => {
    const alone = await t.client({ rules: false });
    const { organisationId } = alone;
    await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
    const person = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
    const other = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
    const [own, theirs] = [person, other].map((operator) => t.api.asOperator(operator)) as [TestApi, TestApi];
    await fill('un', 'SANCTIONS', `u1;${FROZEN};PERSON;;;`, alone);
    await fill('pep', 'PEP', 'p1;Otavio Politico Ficticio;PERSON;;;', alone);
    const pays = async (name: string): Promise<TransactionAnswer> => {
      const body = aTransaction({
        ...{ externalCustomerId: 'frozen-1', amount: 100 },
        destination: { name, cpfCnpj: cpfOf(FROZEN), accountReference: '0001-77', country: 'BR' },
      });
      await t.api.as(alone).ingest(body).expect(202);
      return t.api.as(alone).settled(body.transactionId);
    };
    await pays(FROZEN);
    const { body } = await own.get('/operator/hits?mandatory=true').expect(200);
    const [hit] = body.data as { id: string }[];
    const decision = { disposition: 'CONFIRMED', justification: JUSTIFICATION };
    await approve(theirs, await own.post(`/operator/hits/${hit!.id}/proposals`).send(decision).expect(202));
    // Under another name only the freeze holds the payment.
    expect((await pays('Maria Outra')).nonDefensibleReasons).toContain('FROZEN');
    await t.owner.query(
      `INSERT INTO operator_lineage (id, organisation_id, operator_id, by_id, kind, single_control, at)
       VALUES ($1, $2, $3, $4, 'INVITED', false, now())`,
      [newUuid(), organisationId, other.id, person.id],
    );
    const [frozen] = (await own.get('/operator/freezes').expect(200)).body.data as Freeze[];
    const asked = await own.post(`/operator/freezes/${frozen!.id}/lift`).send({ reason: REASON }).expect(202);
    const { id, digest } = (asked.body as { data: { id: string; digest: string } }).data;
    await own.post(`/operator/approvals/${id}/approve`).send({ digest, singleControl: true }).expect(200);
    const answer = await eventually('nobody is frozen', async () => {
      const found = await pays('Maria Outra');
      return !found.nonDefensibleReasons.includes('FROZEN') && found;
    });
    expect(answer).toMatchObject({ defensible: false, verdict: 'HOLD' });
    expect(answer.nonDefensibleReasons).toContain('SINGLE_CONTROL');
  });
});

/** Runs a statement as the role of the service, in a transaction of the organisation; returns the state it ended in. */
async function asService(sql: string, values: readonly string[]): Promise<string> {
  const { organisationId } = client;
  const connection = await t.owner.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`SELECT set_config('vigia.organisations', $1, true)`, [`{${organisationId}}`]);
    await connection.query('SET LOCAL ROLE vigia_app');
    const { rowCount } = await connection.query(sql, [...values]);
    if (rowCount === 0) return 'nothing';
    await connection.query('SET CONSTRAINTS freezes_lift_approved, freezes_stay IMMEDIATE');
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await connection.query('ROLLBACK');
    connection.release();
  }
}
