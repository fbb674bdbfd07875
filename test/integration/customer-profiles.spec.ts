import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalReaderService } from '../../src/features/approvals/index.js';
import { AuditTrail } from '../../src/features/audit/index.js';
import { CustomerApprovalsService } from '../../src/features/customers/records/customer-approvals.service.js';
import type { OperatorPrincipal } from '../../src/platform/http/index.js';
import { newUuid, publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { expectError } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve, askedIn } from '../support/approvals.js';
import { cpfOf } from '../support/builders.js';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ scopes: ['customers:read', 'customers:write'] });
  integrator = t.api.as(client);
  const { organisationId } = client;
  officer = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
});

afterAll(async () => {
  await t.close();
});

interface Outcome {
  readonly rows: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly problems: readonly { line: number; path: string; code: string }[];
}
interface Customer {
  readonly id: string;
  readonly name: string | null;
  readonly birthDate: string | null;
  readonly riskLevel: string | null;
  readonly unconfirmed: readonly string[];
  readonly profile: Record<string, unknown> | null;
}

const dataOf = (answer: { body: unknown }): unknown => (answer.body as { data: unknown }).data;
const put = async (rows: readonly object[]): Promise<Outcome> =>
  dataOf(await integrator.call('put', '/customers/profiles').send(rows).expect(200)) as Outcome;
const lines = (...rows: readonly string[]): string => rows.join('\n');

async function read(externalCustomerId: string): Promise<Customer | null> {
  const { body } = await officer
    .get(`/operator/customers?externalCustomerId=${externalCustomerId}`)
    .expect(200);
  const [found] = (body as { data: { id: string }[] }).data;
  return found
    ? (dataOf(await officer.get(`/operator/customers/${found.id}`).expect(200)) as Customer)
    : null;
}
const aRow = (fields: object = {}): Record<string, unknown> & { externalCustomerId: string } => ({
  externalCustomerId: `bulk-${randomUUID()}`,
  ...fields,
});

describe('Profiles in bulk', () => {
  it('are written for those who are known and those who are not, and nobody is told', async () => {
    const events = async (): Promise<number> =>
      (await t.owner.query<{ n: number }>('SELECT count(*)::int AS n FROM events')).rows[0]!.n;
    const before = await events();
    const row = aRow({
      ...{ name: 'Helena Exemplo em Massa', birthDate: '1975-02-03', monthlyIncome: 7_300.5 },
      ...{ occupation: 'Nurse', pep: false, riskLevel: 'MEDIUM', segment: 'RETAIL' },
      ...{ relationshipSince: '2019-03-01', asOf: '2024-12-31' },
    });
    expect(await put([row])).toEqual({ rows: 1, created: 1, changed: 1, unchanged: 0, problems: [] });
    const written = await read(row.externalCustomerId);
    expect(written).toMatchObject({
      ...{ name: 'Helena Exemplo em Massa', birthDate: '1975-02-03', riskLevel: 'MEDIUM' },
      profile: {
        ...{ monthlyIncome: 7_300.5, occupation: 'Nurse', pep: false, segment: 'RETAIL' },
        relationshipSince: '2019-03-01',
        statements: expect.arrayContaining([
          {
            ...{ field: 'monthlyIncome', by: 'CLIENT', ref: null, singleControl: false, unconfirmed: false },
            at: '2024-12-31T00:00:00.000Z',
          },
        ]),
      },
    });
    const trail = {
      organisationId: client.organisationId,
      type: 'customer',
      id: uuidOf('cus', written!.id)!,
    } as const;
    expect((await t.app.get(AuditTrail).trailStatus(trail)).status).toBe('COMPLETE');
    expect(await events()).toBe(before);
    // Sent again after an answer that did not arrive: nothing is written twice.
    expect(await put([row])).toEqual({ rows: 1, created: 0, changed: 0, unchanged: 1, problems: [] });
  });

  it('of an earlier day do not take the place of what is known of a later one', async () => {
    const row = aRow({ monthlyIncome: 5_000, asOf: '2025-06-30' });
    await put([row]);
    expect(await put([{ ...row, monthlyIncome: 3_000, asOf: '2023-06-30' }])).toMatchObject({ unchanged: 1 });
    expect(await read(row.externalCustomerId)).toMatchObject({ profile: { monthlyIncome: 5_000 } });
    expect(await put([{ ...row, monthlyIncome: 6_000 }])).toMatchObject({ changed: 1 });
    expect(await read(row.externalCustomerId)).toMatchObject({ profile: { monthlyIncome: 6_000 } });
  });

  it('raise a risk level and never lower it, and of two rows of one customer both count', async () => {
    const row = aRow({ riskLevel: 'HIGH' });
    const { externalCustomerId } = row;
    await put([row]);
    const outcome = await put([
      { externalCustomerId, riskLevel: 'LOW', monthlyIncome: 1 },
      { externalCustomerId, segment: 'PRIVATE' },
      { externalCustomerId, occupation: 'Baker' },
    ]);
    expect(outcome).toMatchObject({
      ...{ changed: 2, unchanged: 0 },
      problems: [{ line: 1, path: 'riskLevel', code: 'FOUR_EYES_REQUIRED' }],
    });
    expect(await read(externalCustomerId)).toMatchObject({
      riskLevel: 'HIGH',
      profile: { monthlyIncome: null, segment: 'PRIVATE', occupation: 'Baker' },
    });
  });

  it('take nobody back who is known as politically exposed', async () => {
    const row = aRow({ pep: true });
    const { externalCustomerId } = row;
    await put([row]);
    const outcome = await put([{ externalCustomerId, pep: false, monthlyIncome: 1 }]);
    expect(outcome).toMatchObject({
      ...{ changed: 0, unchanged: 0 },
      problems: [{ line: 1, path: 'pep', code: 'VALUE_NOT_ALLOWED' }],
    });
    expect(await read(externalCustomerId)).toMatchObject({ profile: { pep: true, monthlyIncome: null } });
  });

  it('name each bad row by line and path, and write the others', async () => {
    const good = aRow({ monthlyIncome: 2_500 });
    const body = lines(
      JSON.stringify(good),
      '{"externalCustomerId": "x", ',
      JSON.stringify({ monthlyIncome: 1 }),
      JSON.stringify(aRow({ monthlyIncome: -1, birthDate: '1975-02-30', colour: 'blue' })),
      JSON.stringify({ document: '111.111.111-11' }),
    );
    const answer = await integrator
      .call('put', '/customers/profiles')
      .set('content-type', 'application/x-ndjson')
      .send(body)
      .expect(200);
    const outcome = dataOf(answer) as Outcome;
    expect(outcome).toMatchObject({ rows: 5, changed: 1, unchanged: 0 });
    expect(outcome.problems.map(({ line, path, code }) => `${line} ${path} ${code}`)).toEqual([
      '2  SYNTAX',
      '3 externalCustomerId REQUIRED',
      '4 monthlyIncome OUT_OF_RANGE',
      '4 birthDate DATE_INVALID',
      '4 ? UNKNOWN_FIELD',
      '5 document TAX_ID_INVALID',
    ]);
    expect(await read(good.externalCustomerId)).toMatchObject({ profile: { monthlyIncome: 2_500 } });
  });

  it('come from a spreadsheet: the template, with semicolons, commas in amounts and accents of Windows', async () => {
    const template = await officer.get('/operator/customers/profiles/template').expect(200);
    expect(template.headers['content-type']).toContain('text/csv');
    const columns = template.text.trim();
    expect(columns.split(';')).toHaveLength(12);
    const id = aRow().externalCustomerId;
    const file = lines(
      columns,
      `${id};;"Antônia; Exemplo";03/02/1975;4.800,50;;"Química";não;medium;01/03/2019;;`,
      ';;;;;;;;;;;',
      `${id}-2;;;;4.800;;;;;;;`,
      `${id}-3;;;31/02/1975;;;;talvez;;;;`,
    );
    const upload = async (query: string, text = file): Promise<Outcome> =>
      dataOf(
        await officer
          .call('put', `/operator/customers/profiles${query}`)
          .set('content-type', 'text/csv')
          .send(Buffer.from(text, 'latin1') as unknown as object)
          .expect(200),
      ) as Outcome;
    const expected = ['4 monthlyIncome TYPE_INVALID', '5 birthDate DATE_INVALID', '5 pep TYPE_INVALID'];
    const shown = await upload('?preview=true');
    expect(shown).toMatchObject({ rows: 3, changed: 1 });
    expect(shown.problems.map(({ line, path, code }) => `${line} ${path} ${code}`)).toEqual(expected);
    expect(await read(id)).toBeNull();
    expect(await upload('')).toMatchObject({ rows: 3, changed: 1 });
    expect(await read(id)).toMatchObject({
      ...{ name: 'Antônia; Exemplo', birthDate: '1975-02-03', riskLevel: 'MEDIUM' },
      profile: {
        ...{ monthlyIncome: 4_800.5, occupation: 'Química', pep: false, relationshipSince: '2019-03-01' },
        segment: null,
      },
    });
    const refused = officer.call('put', '/operator/customers/profiles').set('content-type', 'text/csv');
    expectError(await refused.send('document,colour\n1,red'), 400, 'VALIDATION_FAILED');
  });

  it('are shown to an operator as they would be written, also who stands twice in the file', async () => {
    const { externalCustomerId: known } = aRow();
    const [own, alone, third] = [`${known}-2`, `${known}-3`, `${known}-4`];
    const [document, other] = [cpfOf(own), cpfOf(alone)];
    await put([{ externalCustomerId: known, monthlyIncome: 1 }]);
    const file = [
      'sep=; EXTERNALCUSTOMERID;Document;riskLevel;pep;birthDate;segment;monthlyIncome',
      `${own};${document};HIGH ${own} ;${document};LOW ;${document};;VERDADEIRO ;${document};;sim`,
      `;${document};;;1975-02-03 ;${document};;;1975-02-04 ${alone} ${alone};${other} ;${other};;;;RETAIL`,
      `${third};${other} ${third} ${known};;;;;;1 ${known};;;;;;2 ${own};${other}`,
      // The last rows are of another commit.
      ...Array.from({ length: 500 }, () => `${known};;;;;;2`),
      `;${document};MEDIUM ${own};;;FALSO ${known}-5;${document} ${third};;;;;RETAIL`,
    ];
    const upload = async (query: string): Promise<unknown> => {
      const request = officer.call('put', `/operator/customers/profiles${query}`);
      const sent = request.set('content-type', 'text/csv').send(file.join(' ').replaceAll(' ', '\n'));
      return dataOf(await sent.expect(200));
    };
    const shown = (await upload('?preview=true')) as Outcome;
    expect(shown).toMatchObject({ created: 4, changed: 9 });
    expect(await read(own)).toBeNull();
    expect(await upload('')).toEqual(shown);
  });

  it('of an operator leave a known day of birth; what else they change waits for a second person', async () => {
    const { externalCustomerId } = aRow();
    const upload = async (...rows: readonly object[]): Promise<Outcome> =>
      dataOf(
        await officer
          .call('put', '/operator/customers/profiles')
          .send(rows.map((row) => ({ externalCustomerId, ...row })))
          .expect(200),
      ) as Outcome;
    const known = { birthDate: '1975-02-03', relationshipSince: '2024-03-01', pep: true };
    expect(await put([{ externalCustomerId, ...known }])).toMatchObject({ changed: 1, problems: [] });
    const { changed, unchanged, problems } = await upload(
      ...[{ birthDate: '1945-02-03' }, { relationshipSince: '2019-03-01', pep: false }],
    );
    expect({ changed, unchanged }).toEqual({ changed: 1, unchanged: 0 });
    expect(problems.map(({ line, path, code }) => `${line} ${path} ${code}`)).toEqual([
      ...['1 birthDate VALUE_NOT_ALLOWED'],
    ]);
    expect(await read(externalCustomerId)).toMatchObject({ unconfirmed: ['pep', 'relationshipSince'] });
    // A row without the exposure does not confirm that it is over.
    const { problems: refused } = await put([{ externalCustomerId, pep: false }]);
    expect(refused).toMatchObject([{ path: 'pep', code: 'VALUE_NOT_ALLOWED' }]);
    // The institution's own system corrects both.
    const corrected = { birthDate: '1945-02-03', relationshipSince: '2019-03-01' };
    expect(await put([{ externalCustomerId, ...corrected }])).toMatchObject({ changed: 1, problems: [] });
    expect(await read(externalCustomerId)).toMatchObject({
      birthDate: '1945-02-03',
      profile: { relationshipSince: '2019-03-01' },
      unconfirmed: ['pep'],
    });
  });

  it('need their scope, and at most 5,000 rows', async () => {
    const reader = t.api.as(await t.client({ scopes: ['customers:read'] }));
    expectError(await reader.call('put', '/customers/profiles').send([aRow()]), 403, 'SCOPE_INSUFFICIENT');
    const many = Array.from({ length: 5_001 }, () => ({ externalCustomerId: 'x' }));
    expectError(await integrator.call('put', '/customers/profiles').send(many), 400, 'VALIDATION_FAILED');
  });
});

describe('A request to confirm what one operator wrote down', () => {
  const WHY = 'The customer said so at the counter today.';
  let analyst: TestOperator;
  let second: TestApi;

  beforeAll(async () => {
    const { organisationId } = client;
    analyst = await t.operator({ roles: ['ANALYST'], organisationId });
    second = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  });

  interface Fact {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
  }
  const writes = async (id: string, step: string, body: object): Promise<void> => {
    await t.api.asOperator(analyst).call('put', `/operator/customers/${id}/${step}`).send(body).expect(200);
  };
  const declares = async (id: string, body: object): Promise<void> => {
    await t.api.asOperator(analyst).call('patch', `/operator/customers/${id}/profile`).send(body).expect(200);
  };
  const asks = async (id: string) =>
    t.api
      .asOperator(analyst)
      .post(`/operator/customers/${id}/facts/confirm`)
      .send({ reason: WHY })
      .expect(202);
  const factsOf = async (answer: Parameters<typeof askedIn>[0]): Promise<readonly Fact[]> => {
    const { body } = await second.get(`/operator/approvals/${askedIn(answer).id}`).expect(200);
    return (body as { data: { summary: { facts: Fact[] } } }).data.summary.facts;
  };
  const pairsOf = (facts: readonly Fact[]): readonly unknown[] =>
    facts.map(({ field, before, after }) => [field, before, after]);
  const aKnown = async (fields: object): Promise<Customer> => {
    const row = aRow(fields);
    await put([row]);
    return (await read(row.externalCustomerId))!;
  };

  it('shows each value as it counts and as it would count, with who wrote it, until it is decided', async () => {
    const row = aRow({ monthlyIncome: 3_000, riskLevel: 'LOW', pep: true });
    await put([row]);
    const { id } = (await read(row.externalCustomerId))!;
    const file = {
      externalCustomerId: row.externalCustomerId,
      birthDate: '1975-02-03',
      name: 'Maria Exemplo',
    };
    await officer.call('put', '/operator/customers/profiles').send([file]).expect(200);
    await declares(id, { monthlyIncome: 800_000 });
    await declares(id, { monthlyIncome: 900_000, nightLimit: 5_000, pep: null });
    await writes(id, 'risk-level', { riskLevel: 'HIGH' });
    const asked = await asks(id);
    expect(JSON.stringify(asked.body)).not.toMatch(/900000|Maria/);
    const facts = await factsOf(asked);
    expect(pairsOf(facts)).toEqual([
      ['birthDate', null, '1975-02-03'],
      ['monthlyIncome', 3_000, 900_000],
      ['name', null, 'Maria Exemplo'],
      ['nightLimit', null, 5_000],
      ['pep', true, null],
      ['riskLevel', 'LOW', 'HIGH'],
    ]);
    const byHand = { withheld: false, writtenBy: publicId('opr', analyst.id), writtenAt: expect.any(String) };
    expect(facts[1]).toMatchObject(byHand);
    expect(facts[5]).toMatchObject(byHand);
    expect(facts[0]).not.toMatchObject({ writtenBy: byHand.writtenBy });
    expect(facts[0]).toMatchObject({ writtenBy: expect.any(String) });
    const { body } = await second.get('/operator/approvals?limit=50').expect(200);
    const listed = (body as { data: { id: string; summary: { facts: Fact[] } }[] }).data;
    expect(listed.find((one) => one.id === askedIn(asked).id)?.summary.facts).toEqual(facts);
    await approve(second, asked);
    expect(await factsOf(asked)).toEqual([]);
    expect(await read(row.externalCustomerId)).toMatchObject({ unconfirmed: [] });
  });

  it('shows only the names to who may not see customers', async () => {
    const { id } = await aKnown({ monthlyIncome: 3_000 });
    await declares(id, { monthlyIncome: 900_000 });
    await asks(id);
    const { organisationId } = client;
    const approvals = await t.app
      .get(ApprovalReaderService)
      .findBySubjects(organisationId, [uuidOf('cus', id) ?? '']);
    const reader: OperatorPrincipal = {
      ...{ id: newUuid(), organisationId, permissions: new Set(['reviews:approve']) },
      ...{ kind: 'PERSON', roles: [], sessionId: newUuid(), strong: true },
    };
    const [summary] = (await t.app.get(CustomerApprovalsService).summarize(reader, approvals)).values();
    expect(summary?.facts).toMatchObject([
      { field: 'monthlyIncome', before: null, after: null, withheld: true },
    ]);
  });

  it('shows nothing of what was written after it, and is not approved for that', async () => {
    const { id } = await aKnown({ monthlyIncome: 3_000, riskLevel: 'HIGH' });
    await declares(id, { monthlyIncome: 900_000 });
    const changed = await asks(id);
    await declares(id, { monthlyIncome: 950_000 });
    expect(await factsOf(changed)).toEqual([]);
    const withdrawal = `/operator/approvals/${askedIn(changed).id}/withdraw`;
    await t.api.asOperator(analyst).post(withdrawal).send({ reason: WHY }).expect(200);

    const grown = await asks(id);
    const lower = { riskLevel: 'LOW', reason: WHY };
    const path = `/operator/customers/${id}/risk-level/lower`;
    await approve(second, await t.api.asOperator(analyst).post(path).send(lower).expect(202));
    await writes(id, 'risk-level', { riskLevel: 'HIGH' });
    // Version and level are those of the request, and one more value waits.
    expect(await factsOf(grown)).toEqual([]);
    const { digest, id: request } = askedIn(grown);
    expectError(
      await second.post(`/operator/approvals/${request}/approve`).send({ digest }),
      409,
      'STATE_CONFLICT',
    );
  });
});
