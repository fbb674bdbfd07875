import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
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
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn, type AskedApproval } from '../support/approvals.js';
import { aTransaction, CPF, cpfOf } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { Browser, CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../support/identity-provider.js';
import { invitedToken, mailFor } from '../support/outbox.js';
import { later } from '../support/needs.js';

const WHY = 'Agreed in the meeting of the committee.';
const SANCTIONED = 'Anacleto Sancionado Ficticio';
const UN = [SANCTIONED, ...Array.from({ length: 9 }, (_, i) => `Fulano Ficticio ${i}`)];

const PUBLIC_URL = 'http://operators.vigia.test';
const CALLBACK = `${PUBLIC_URL}/operator/auth/oidc/callback`;

let idp: IdentityProvider;
let t: TestApp;
let client: TestClient;
let analyst: TestApi;
let officer: TestApi;
let second: TestApi;
let list: string;

beforeAll(async () => {
  // The provider explains its defaults at length.
  for (const level of ['info', 'warn'] as const) {
    jest.spyOn(console, level).mockImplementation(() => undefined);
  }
  idp = await IdentityProvider.listen(CALLBACK);
  t = await startTestApp({
    settings: {
      machineOperators: true,
      publicUrl: PUBLIC_URL,
      oidcIssuer: idp.issuer,
      oidcClientId: CLIENT_ID,
      oidcClientSecret: CLIENT_SECRET,
    },
  });
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
  await idp.close();
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
    .findOrCreate(ctx, { key, name: key, kind, format: 'HOUSE_CSV' });
  const { id } = await t.app.get(ListImporterService).startImport(ctx, row, null);
  const main = Readable.from([fileOf(names)]);
  await t.app
    .get(ListImporterService)
    .runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
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

describe('A listed customer', () => {
  /** The namesake whose hit two people have dismissed, and the listed customer whose hit waits. */
  const [document, listed] = [cpfOf('namesake'), 'listed-customer'];
  const namesake = { externalCustomerId: 'namesake', cpfCnpj: document };
  const DISMISSAL = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };

  const pays = async (fields: object): Promise<TransactionAnswer> => {
    const transactionId = `listed-${randomBytes(6).toString('hex')}`;
    const origin = { name: SANCTIONED, country: 'BR', accountReference: '0001-42' };
    const own = { externalCustomerId: undefined, cpfCnpj: undefined, amount: 100, origin };
    const body = aTransaction({ transactionId, ...own, ...fields });
    const metadata = { ...(body['metadata'] as object), direction: 'OUT' };
    await t.api
      .as(client)
      .ingest({ ...body, metadata })
      .expect(202);
    return t.api.as(client).settled(transactionId);
  };
  const customerOf = async (query: string): Promise<string> =>
    ((await officer.get(`/operator/customers?${query}`).expect(200)).body.data as { id: string }[])[0]!.id;
  const hitsOf = async (customer: string): Promise<{ id: string; status: string }[]> =>
    (await officer.get(`/operator/hits?customerId=${customer}`).expect(200)).body.data as {
      id: string;
      status: string;
    }[];
  const standing = async (customer: string): Promise<string[]> =>
    (await hitsOf(customer)).map(({ status }) => status);
  let [own, their]: [string, string] = ['', ''];
  let [cleared, asked]: [TransactionAnswer | null, { readonly body: unknown } | null] = [null, null];

  beforeAll(async () => {
    await pays(namesake);
    own = await customerOf(`document=${document}`);
    const [dismissed] = await hitsOf(own);
    await approve(second, await officer.post(`/operator/hits/${dismissed!.id}/proposals`).send(DISMISSAL));
    cleared = await pays(namesake);
    expect(cleared).toMatchObject({ nonDefensibleReasons: [], outcome: 'APPROVED', verdict: 'RELEASE' });
    expect(await pays({ externalCustomerId: listed })).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
    their = await customerOf(`externalCustomerId=${listed}`);
    const [waiting] = await hitsOf(their);
    asked = await officer.post(`/operator/hits/${waiting!.id}/proposals`).send(DISMISSAL).expect(202);
  });

  it('is not made one with a namesake whose hit was dismissed, by a file of one analyst', async () => {
    const rows = [
      { externalCustomerId: listed, document, monthlyIncome: 5 },
      { externalCustomerId: 'not-known-yet', document, monthlyIncome: 5 },
      { externalCustomerId: listed, document: cpfOf('nobody yet'), monthlyIncome: 5 },
      { externalCustomerId: 'of-the-file', monthlyIncome: 5 },
      { document: cpfOf('of the file'), monthlyIncome: 5 },
      { externalCustomerId: 'of-the-file', document: cpfOf('of the file'), monthlyIncome: 6 },
    ];
    const upload = async (query: string): Promise<{ changed: number; faults: string[] }> => {
      const path = `/operator/customers/profiles${query}`;
      const { data } = (await analyst.call('put', path).send(rows).expect(200)).body as {
        data: { changed: number; problems: { line: number; path: string; code: string }[] };
      };
      const faults = data.problems.map(({ line, path, code }) => `${line} ${path} ${code}`);
      return { changed: data.changed, faults };
    };
    const places = ['1 externalCustomerId', '2 externalCustomerId', '3 document', '6 externalCustomerId'];
    const written = { changed: 2, faults: places.map((place) => `${place} NOT_ONE_CUSTOMER`) };
    expect(await upload('?preview=true')).toEqual(written);
    expect(await upload('')).toEqual(written);
    expect(await customerOf(`externalCustomerId=${listed}`)).toBe(their);
    expect(await standing(their)).toEqual(['PENDING']);
    expect(await pays({ externalCustomerId: listed })).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
  });

  later(
    'inherits no dismissal when the institution makes them one: both are asked anew and hold until two decide',
    async () => {
      expect(await pays({ externalCustomerId: listed, cpfCnpj: document })).toMatchObject({
        ...{ outcome: 'REVIEW', verdict: 'HOLD' },
      });
      expect(await customerOf(`externalCustomerId=${listed}`)).toBe(own);
      expect(await standing(own)).toEqual(['PENDING', 'PENDING']);
      for (const named of [{ externalCustomerId: listed }, namesake]) {
        expect(await pays(named)).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
        expect(await pays({ ...named, origin: {} })).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
      }
      // A payment that passed a moment before the merge is judged again.
      await eventually('it is judged again', async () => {
        const { body } = await t.api
          .as(client)
          .get(`/kyt/transactions/${cleared!.transactionId}`)
          .expect(200);
        return (body.data as TransactionAnswer).outcome === 'REVIEW';
      });
      // Somebody asked it about a part of the person: it is not approved for the whole.
      const { id } = askedIn(asked!);
      const { digest } = askedIn(await second.get(`/operator/approvals/${id}`).expect(200));
      expectError(
        await second.post(`/operator/approvals/${id}/approve`).send({ digest }),
        409,
        'STATE_CONFLICT',
      );
      expect(await standing(own)).toEqual(['PENDING', 'PENDING']);
      await officer.post(`/operator/approvals/${id}/withdraw`).send({ reason: WHY }).expect(200);
      // They are one question.
      const [either] = await hitsOf(own);
      await approve(second, await officer.post(`/operator/hits/${either!.id}/proposals`).send(DISMISSAL));
      expect(await standing(own)).toEqual([DISMISSAL.disposition, DISMISSAL.disposition]);
      expect(await pays({ externalCustomerId: listed, cpfCnpj: document })).toMatchObject({
        ...{ outcome: 'APPROVED', verdict: 'RELEASE' },
      });
    },
  );
});

describe('What a customer declared', () => {
  interface Customer {
    readonly profile: Record<string, unknown>;
    readonly unconfirmed: readonly string[];
  }
  const declared = async (path: string): Promise<Customer> =>
    ((await second.get(path).expect(200)).body as { data: Customer }).data;

  it('and weighs less is confirmed neither by who wrote it down nor by their file; somebody else confirms it', async () => {
    const path = `/operator/customers/${publicId('cus', await aCustomer('exposed'))}`;
    const change = { pep: false, monthlyIncome: 900_000 };
    for (const said of [{ pep: true, monthlyIncome: 3_000 }, change]) {
      await analyst.call('patch', `${path}/profile`).send(said).expect(200);
    }
    const row = { externalCustomerId: 'exposed', ...change, segment: 'A' };
    await officer.call('put', '/operator/customers/profiles').send([row]).expect(200);
    const unconfirmed = ['monthlyIncome', 'pep', 'segment'];
    expect(await declared(path)).toMatchObject({ profile: change, unconfirmed });

    const body = { reason: WHY };
    const asked = await analyst.post(`${path}/facts/confirm`).send(body).expect(202);
    expect(JSON.stringify(asked.body)).not.toContain('900000');
    await fails(analyst, asked);
    expect(await declared(path)).toMatchObject({ unconfirmed });
    await approve(second, await analyst.post(`${path}/facts/confirm`).send(body).expect(202));
    expect(await declared(path)).toMatchObject({ profile: change, unconfirmed: [] });
    expectError(await analyst.post(`${path}/facts/confirm`).send(body), 409, 'STATE_CONFLICT');
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

  later('does not leave the one name out that they want to be cleared', async () => {
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

  later('does not begin a list of sanctions beside it with half a file', async () => {
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

  later('does not hide a person of a list that two people began by adding others to it', async () => {
    const listed = 'Zenobio Quaresma Tavares Ficticio';
    const paidName = 'Zenobio Quaresma Tavarez Fictisio';
    const body = { key: 'begun', name: 'UN', kind: 'SANCTIONS', format: 'HOUSE_CSV' };
    const { id } = askedIn(await officer.post('/operator/lists').send(body).expect(201));
    const imported = async (file: string, status: string): Promise<string> => {
      const begun = await officer
        .post(`/operator/lists/${id}/imports`)
        .attach('file', Buffer.from(file), 'list.csv')
        .expect(202);
      const path = `/operator/lists/${id}/imports/${askedIn(begun).id}`;
      await eventually(`the import is ${status}`, async () => {
        const answer = await officer.get(path).expect(200);
        return askedIn(answer).status === status;
      });
      return path;
    };
    const pay = async (name: string): Promise<TransactionAnswer> => {
      const destination = { name, cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' };
      const sent = aTransaction({ destination });
      await t.api.as(client).ingest(sent).expect(202);
      return t.api.as(client).settled(sent.transactionId);
    };
    const file = fileOf([listed]).toString();
    const first = await imported(file, 'AWAITING_CONFIRMATION');
    await approve(second, await officer.post(`${first}/confirm`).send({ reason: WHY }).expect(202));
    await t.app.get(SearchIndexService).refresh();
    expect(await pay('Ana Exemplo')).toMatchObject({ verdict: 'RELEASE', defensible: true });
    expect(await pay(paidName)).toMatchObject({ verdict: 'HOLD', components: { LISTS: { state: 'HIT' } } });
    const [one, ...others] = paidName.split(' ');
    const orders = others.flatMap((_, i) => {
      const words = [...others.slice(i), ...others.slice(0, i)];
      return [0, 1, 2, 3].map((at) => words.toSpliced(at, 0, one!).join(' '));
    });
    expect(new Set(orders).size).toBe(12);
    const lines = orders.map((name, i) => `a${i};${name};PERSON;;DOCUMENT;${cpfOf(name)}\n`);
    await imported(file + lines.join(''), 'PUBLISHED');
    const keeper = t.app.get(SearchIndexService);
    await keeper.refresh();
    const held = { verdict: 'HOLD', components: { LISTS: { state: 'HIT', reason: 'HIT_UNDECIDED' } } };
    expect(await pay(paidName)).toMatchObject(held);
    // After a start the list is one index, and not one with the additions beside it.
    await keeper.stop();
    keeper.start();
    await keeper.waitUntilLoaded();
    const again = await pay(paidName);
    expect(again).toMatchObject(held);
    expect(again.reasons.map(({ ruleId }) => ruleId)).toContain('BR-LIST-01');
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

  later('does not erase a person, nor ends a hold; what two people approved waits three days', async () => {
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

  later.each(['by a password', 'by the identity provider'] as const)(
    'sends the others away in every way, and who comes meanwhile %s decides no payment alone; all have a mail',
    async (way) => {
      const their = await t.client({ rules: false });
      const { organisationId } = their;
      await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
      await fill('un', 'SANCTIONS', UN, their);
      await fill('pep', 'PEP', ['Otavio Politico Ficticio'], their);
      const admins = [await t.operator({ organisationId }), await t.operator({ organisationId })] as const;
      const olga = await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER'] });
      const otto = await t.operator({ organisationId, roles: ['COMPLIANCE_OFFICER', 'AUDITOR'] });
      const own = t.api.asOperator(admins[0]);
      const of = ({ id }: TestOperator): string => `/operator/operators/${publicId('opr', id)}`;
      const payment = await paid(CPF.customer, SANCTIONED, their);
      expect(payment).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });

      // Both administrators agreed about the invitation; whoever was invited comes when the others are gone.
      const invitation = () => ({
        ...{ email: `i-${randomUUID()}@example.com`, name: 'I', roles: ['COMPLIANCE_OFFICER'] },
        ...{ identityProvider: way !== 'by a password', reason: WHY },
      });
      const underWay = invitation();
      const invited = await own.post('/operator/invitations').send(underWay).expect(202);
      await approve(t.api.asOperator(admins[1]), invited);
      await t.owner.query(
        `UPDATE operators SET sealed_totp_seed = '\\x00', totp_enrolled_at = now() WHERE id = $1`,
        [olga.id],
      );
      await fails(
        own,
        await own
          .post(`${of(olga)}/totp/reset`)
          .send({ reason: WHY })
          .expect(202),
      );

      await own.post(`${of(admins[1])}/disable`).expect(200);
      await own.post(`${of(olga)}/disable`).expect(200);
      await own
        .call('patch', of(otto))
        .send({ roles: ['AUDITOR'] })
        .expect(200);
      await fails(own, await own.post('/operator/invitations').send(invitation()).expect(202));
      const roles = { roles: ['AUDITOR', 'COMPLIANCE_OFFICER'], reason: WHY };
      await fails(
        own,
        await own
          .post(`${of(otto)}/roles`)
          .send(roles)
          .expect(202),
      );
      await fails(
        own,
        await own
          .post(`${of(olga)}/enable`)
          .send({ reason: WHY })
          .expect(202),
      );

      const token = await invitedToken(t, underWay.email);
      if (way === 'by a password') {
        const body = { token, password: 'jardim-cobre-7-planalto' };
        await t.api.post('/operator/auth/invitations/accept').send(body).expect(201);
      } else {
        const claims = { email: underWay.email, email_verified: true };
        idp.person = { sub: underWay.email, claims };
        const browser = new Browser();
        const back = await idp.sendBack(t.url, CALLBACK, browser, `?invitation=${token}`);
        expect((await browser.get(back.href)).status).toBe(200);
      }
      const { id } = await one<{ id: string }>('SELECT id FROM operators WHERE email = $1', underWay.email);
      const accomplice = { email: underWay.email, ...(await t.loggedIn({ id, organisationId })) };

      const alone = t.api.asOperator(accomplice);
      const { body } = await alone.get('/operator/hits?mandatory=true&status=PENDING').expect(200);
      const [hit] = body.data as { id: string }[];
      const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification: WHY };
      await fails(alone, await alone.post(`/operator/hits/${hit!.id}/proposals`).send(dismissal).expect(202));
      const { body: now } = await t.api
        .as(their)
        .get(`/kyt/transactions/${payment.transactionId}`)
        .expect(200);
      for (const judged of [now.data as TransactionAnswer, await paid(CPF.payee, SANCTIONED, their)]) {
        expect(judged).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
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
      expect((await mailFor(t, admins[0].email)).join('\n')).toContain(underWay.email);
    },
  );

  it('lets no application write what customers declare', async () => {
    const [own, other] = [await by('ADMIN'), await by('ADMIN')];
    const base = '/operator/client-apps';
    const app = { name: 'core', publicName: 'Core' };
    const scopes = ['customers:write'];
    expectError(await own.post(base).send({ ...app, scopes }), 403, 'FOUR_EYES_REQUIRED');
    const path = `${base}/${askedIn(await own.post(base).send(app).expect(201)).id}`;
    expectError(await own.call('patch', path).send({ scopes }), 403, 'FOUR_EYES_REQUIRED');
    const ask = () => own.post(`${path}/scopes`).send({ scopes, reason: WHY }).expect(202);
    await fails(own, await ask());
    const held = async (): Promise<unknown> =>
      ((await own.get(path).expect(200)).body as { data: { scopes: unknown } }).data.scopes;
    expect(await held()).not.toContain('customers:write');
    await approve(other, await ask());
    expect(await held()).toEqual(scopes);
    await own.call('patch', path).send({ name: 'core banking' }).expect(200);
    // One person takes addresses away, and lets no further ones in.
    const set = (ipAllowList: string[]): ReturnType<TestApi['call']> =>
      own.call('patch', path).send({ ipAllowList });
    expect((await set(['203.0.113.0/24'])).status).toBe(200);
    expect((await set(['203.0.113.8/29'])).status).toBe(200);
    for (const wider of [[], ['203.0.113.0/24'], ['203.0.113.8/29', '198.51.100.1']]) {
      const answer = expectError(await set(wider), 403, 'FOUR_EYES_REQUIRED');
      expect(detailsOf(answer)).toEqual(['ipAllowList ADDRESSES_BY_TWO']);
    }
    const more = { scopes, ipAllowList: ['203.0.113.0/24', '198.51.100.1'], reason: WHY };
    await fails(own, await own.post(`${path}/scopes`).send(more).expect(202));
    await approve(other, await own.post(`${path}/scopes`).send(more).expect(202));
    const { body } = await own.get(path).expect(200);
    expect(body).toMatchObject({ data: { ipAllowList: ['203.0.113.0/24', '198.51.100.1/32'], scopes } });
  });

  it('gives no secret to an application that may write, nor enables it, and is told of each', async () => {
    const first = await t.operator();
    const admins = [first, await t.operator({ organisationId: first.organisationId })] as const;
    const [own, other] = admins.map((one) => t.api.asOperator(one)) as [TestApi, TestApi];
    const base = '/operator/client-apps';
    const made = await own.post(base).send({ name: 'core 2', publicName: 'Core' }).expect(201);
    type Made = Pick<TestClient, 'id' | 'clientId' | 'clientSecret'>;
    const { id, clientId, clientSecret } = (made.body as { data: Made }).data;
    const told = async (): Promise<number[]> => {
      const mails = await Promise.all(admins.map(({ email }) => mailFor(t, email)));
      return mails.map((all) => all.filter((text) => text.includes(`(${clientId})`)).length);
    };
    const path = `${base}/${id}`;
    await own.post(`${path}/secrets`).send({}).expect(201);
    expect(await told()).toEqual([2, 2]);
    expectError(await own.post(`${path}/secrets/request`).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    expectError(await own.post(`${path}/enable/request`).send({ reason: WHY }), 409, 'STATE_CONFLICT');
    const scopes = ['kyt:ingest', 'customers:write'];
    await approve(other, await own.post(`${path}/scopes`).send({ scopes, reason: WHY }).expect(202));

    const alone = await own.post(`${path}/secrets`).send({});
    expect(detailsOf(expectError(alone, 403, 'FOUR_EYES_REQUIRED'))).toEqual(['SECRET_GIVEN_BY_TWO']);
    const ask = () =>
      own.post(`${path}/secrets/request`).send({ reason: WHY, overlapSeconds: 0 }).expect(202);
    const opens = async (secret: string): Promise<boolean> => {
      const as = t.api.as({ ...client, clientId, clientSecret: secret });
      return (await as.call('put', '/customers/profiles').send([])).status === 400;
    };
    const refused = (await ask()).body as { data: AskedApproval & { clientSecret: string } };
    await fails(own, { body: refused });
    expect(await opens(refused.data.clientSecret)).toBe(false);
    const asked = (await ask()).body as typeof refused;
    expect(await told()).toEqual([2, 2]);
    await approve(other, { body: asked });
    await eventually('the secret is good', () => opens(asked.data.clientSecret));
    await eventually('the one before is not', async () => !(await opens(clientSecret)));
    expect(await told()).toEqual([3, 3]);

    await own.post(`${path}/disable`).send({}).expect(200);
    expectError(await own.post(`${path}/enable`).send({}), 403, 'FOUR_EYES_REQUIRED');
    await fails(own, await own.post(`${path}/enable/request`).send({ reason: WHY }).expect(202));
    await approve(other, await own.post(`${path}/enable/request`).send({ reason: WHY }).expect(202));
    await eventually('it is served again', () => opens(asked.data.clientSecret));
    expect(await told()).toEqual([4, 4]);
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
