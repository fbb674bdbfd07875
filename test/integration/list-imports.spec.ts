import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { SearchIndexService, type ListFormat } from '../../src/features/screening/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { detailsOf, expectError } from '../support/answers.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { withLists } from '../support/lists.js';

let t: TestApp;
let client: TestClient;
let maker: TestApi;
let checker: TestApi;

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  const { organisationId } = client;
  await withLists(t, organisationId);
  await t.app.get(RulesetsService).publish(organisationId, brStarter, 'test');
  const officer = async (): Promise<TestApi> =>
    t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
  [maker, checker] = [await officer(), await officer()];
});

afterAll(async () => {
  await t.close();
});

interface Import {
  readonly id: string;
  readonly status: string;
  readonly lines: number;
  readonly entries: number;
  readonly linesMerged: number;
  readonly linesBroken: number;
  readonly broken: readonly object[];
  readonly fieldsDropped: number;
  readonly dropped: readonly object[];
}

let lists = 0;

/** Makes a list of sanctions and imports a file into it, with a second person. */
async function imported(format: ListFormat, file: string | Buffer, aliases?: string): Promise<Import> {
  lists += 1;
  const body = { key: `imported-${lists}`, name: 'Importada', kind: 'SANCTIONS', format };
  const made = await maker.post('/operator/lists').send(body).expect(201);
  const path = `/operator/lists/${(made.body as { data: { id: string } }).data.id}/imports`;
  const upload = maker.post(path).attach('file', Buffer.from(file as string), 'list');
  if (aliases !== undefined) void upload.attach('aliases', Buffer.from(aliases), 'alt.csv');
  const begun = (await upload.expect(202)).body as { data: Import };
  const ended = async (...statuses: string[]): Promise<Import> =>
    eventually(`the import is ${statuses.join()}`, async () => {
      const { data } = (await maker.get(`${path}/${begun.data.id}`).expect(200)).body as { data: Import };
      return statuses.includes(data.status) ? data : null;
    });
  if ((await ended('AWAITING_CONFIRMATION', 'FAILED')).status === 'FAILED') return ended('FAILED');
  const asked = await maker
    .post(`${path}/${begun.data.id}/confirm`)
    .send({ reason: 'compared by hand' })
    .expect(202);
  await approve(checker, asked);
  const published = await ended('PUBLISHED');
  await t.app.get(SearchIndexService).refresh();
  const { lines, entries, linesMerged, linesBroken } = published;
  expect(entries + linesMerged + linesBroken).toBe(lines);
  return published;
}

let last = 0;
async function paid(destination: object): Promise<Pick<TransactionAnswer, 'verdict'> & { rules: string[] }> {
  last += 1;
  const transactionId = `imp-${last}`;
  const api = t.api.as(client);
  const body = aTransaction({ transactionId, amount: 100, destination: { country: 'BR', ...destination } });
  await api.ingest(body).expect(202);
  const { verdict, reasons } = await api.settled(transactionId);
  return { verdict, rules: reasons.map(({ ruleId }) => ruleId) };
}
const named = (name: string): ReturnType<typeof paid> =>
  paid({ name, cpfCnpj: CPF.payee, accountReference: '0001-77' });
const HELD = { verdict: 'HOLD', rules: expect.arrayContaining(['BR-LIST-01']) as unknown };

describe('What an import reads is found', () => {
  it('of nobody on a list is released', async () => {
    expect(await named('João Exemplo')).toMatchObject({ verdict: 'RELEASE' });
  });

  const openSanctions = 'id,schema,name,aliases,birth_date,countries\n';
  it.each<[ListFormat, [string, string], (first: string, second: string) => string]>([
    ['HOUSE_CSV', ['Quirino Inventado', 'Ormindo Fabuloso'], (a, b) => `key;name\nP1;${a}\nP1;${b}\n`],
    [
      'HOUSE_JSON',
      ['Tertuliano Quimera', 'Eudoxia Miragem'],
      (a, b) => JSON.stringify([a, b].map((name) => ({ key: 'P1', name }))),
    ],
    [
      'OPENSANCTIONS_CSV',
      ['Ubaldino Lendario', 'Filomena Utopia'],
      (a, b) => `${openSanctions}P1,Person,${a},,,\nP1,Person,${b},,,\n`,
    ],
    [
      'OFAC_SDN_CSV',
      ['Venancio Mitico', 'Gertrudes Ilusoria'],
      (a, b) => [a, b].map((one) => `7,"${one}","individual","X"\n`).join(''),
    ],
    [
      'EU_CSV',
      ['Zeferino Suposto', 'Perpetua Aparente'],
      (a, b) => `Entity_LogicalId;NameAlias_WholeName\n1;${a}\n1;${b}\n`,
    ],
  ])('%s: two persons under one key are both searched', async (format, [first, second], file) => {
    expect(await named(second)).toMatchObject({ verdict: 'RELEASE' });
    expect(await imported(format, file(first, second))).toMatchObject({ lines: 2, linesBroken: 0 });
    expect(await named(first)).toMatchObject(HELD);
    expect(await named(second)).toMatchObject(HELD);
  });

  it('two accounts under one key, and a line said twice', async () => {
    const read = await imported(
      'HOUSE_CSV',
      'key;type;value\nP1;ACCOUNT;0009/111-1\nP1;ACCOUNT;0009/222-2\nP1;ACCOUNT;0009/111-1\n',
    );
    expect(read).toMatchObject({ lines: 3, entries: 2, linesMerged: 1, linesBroken: 0 });
    for (const accountReference of ['0009/111-1', '0009/222-2']) {
      expect(await paid({ name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference })).toMatchObject(HELD);
    }
  });

  it('a list with semicolons whose names and remarks hold commas', async () => {
    const read = await imported(
      'HOUSE_CSV',
      'key;name;remarks\na;Figurado, Wenceslau, Dr.;fraude, furto, roubo, dano, e, outros, crimes\n',
    );
    expect(read).toMatchObject({ entries: 1, linesBroken: 0 });
    expect(await named('Wenceslau Figurado')).toMatchObject(HELD);
  });

  it('a line in another encoding, a kind in Portuguese, and a country that is none, which is named', async () => {
    const filler = Array.from({ length: 3_000 }, (_, i) => `f${i};Ñandú Ç${i}xq;;\n`).join('');
    const read = await imported(
      'HOUSE_CSV',
      Buffer.concat([
        Buffer.from(`key;name;kind;countries\n${filler}`),
        Buffer.from('x;Ambrósio Conceição Fingido;PESSOA FÍSICA;Brazilia\n', 'latin1'),
        Buffer.from(';Sem Chave;;\n'),
      ]),
    );
    expect(read).toMatchObject({
      ...{ entries: 3_001, linesBroken: 1, fieldsDropped: 1 },
      broken: [{ line: 3_003, column: null, problem: 'KEY_MISSING' }],
      dropped: [{ line: 3_002, column: 'countries', problem: 'COUNTRY_UNKNOWN' }],
    });
    expect(await named('Ambrosio Conceicao Fingido')).toMatchObject(HELD);
  });

  it('UTF-16', async () => {
    const read = await imported(
      'HOUSE_CSV',
      Buffer.from('\ufeffkey;name\nx;Eleutério Simulado Lírico\n', 'utf16le'),
    );
    expect(read).toMatchObject({ entries: 1, linesBroken: 0, fieldsDropped: 0 });
    expect(await named('Eleuterio Simulado Lirico')).toMatchObject(HELD);
  });

  it('the other names, wallets and passports in the remarks of OFAC, and its aliases', async () => {
    const read = await imported(
      'OFAC_SDN_CSV',
      `1,"POSTICO, Gaudencio","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 1950; Passport Y-777 88 (Iran); Digital Currency Address - XBT 1PosticoPosticoPostico; a.k.a. 'HERMENEGILDO ROTUNDUS'."\n`,
      '1,1,"aka","CRISPINIANO OBLONGUS",-0- \n2,2,"aka","NINGUEM",-0- \n',
    );
    expect(read).toMatchObject({
      ...{ lines: 3, entries: 1, linesMerged: 1, linesBroken: 1 },
      broken: [{ line: 2, column: null, problem: 'ALIAS_OF_NO_ENTRY' }],
    });
    const payee = { name: 'João Exemplo', cpfCnpj: CPF.payee };
    expect(await named('Hermenegildo Rotundus')).toMatchObject(HELD);
    expect(await named('Crispiniano Oblongus')).toMatchObject(HELD);
    expect(await paid({ ...payee, walletReference: '1PosticoPosticoPostico' })).toMatchObject(HELD);
    expect(await paid({ ...payee, metadata: { passportNumber: 'y 77788' } })).toMatchObject(HELD);
  });

  it('a file of aliases belongs to OFAC alone', async () => {
    const body = { key: 'no-aliases', name: 'Sem', kind: 'WATCH', format: 'HOUSE_CSV' };
    const made = await maker.post('/operator/lists').send(body).expect(201);
    const refused = await maker
      .post(`/operator/lists/${(made.body as { data: { id: string } }).data.id}/imports`)
      .attach('file', Buffer.from('key;name\na;Exemplo\n'), 'list')
      .attach('aliases', Buffer.from('1,1,"aka","X"\n'), 'alt.csv');
    expect(detailsOf(expectError(refused, 400, 'VALIDATION_FAILED'))).toEqual(['aliases UNKNOWN_FIELD']);
  });

  it('at most a thousand places are kept, and all are counted', async () => {
    const lines = Array.from(
      { length: 1_200 },
      (_, i) => `k${i};Exemplo ${i} Qualquer;Brazilia\n;Sem Chave;\n`,
    );
    const read = await imported('HOUSE_CSV', `key;name;countries\n${lines.join('')}`);
    expect(read).toMatchObject({ lines: 2_400, entries: 1_200, linesBroken: 1_200, fieldsDropped: 1_200 });
    expect([read.broken.length, read.dropped.length]).toEqual([1_000, 1_000]);
  });
});
