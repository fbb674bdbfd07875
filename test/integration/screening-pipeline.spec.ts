import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { verifyReceipt } from '../../src/features/kyt/domain/replay.js';
import { ReceiptExportService } from '../../src/features/kyt/replay/receipt-export.service.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import {
  SearchIndexService,
  ListImporterService,
  type NewList,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApi, TestClient, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectError } from '../support/answers.js';
import { approve } from '../support/approvals.js';
import { aTransaction, CPF, cpfOf } from '../support/builders.js';
import { withLists } from '../support/lists.js';
import { asTheService } from '../support/tamper.js';
import { eventually } from '../support/eventually.js';
import { later } from '../support/needs.js';

let t: TestApp;
let keeper: SearchIndexService;
let client: TestClient;
let api: TestApi;

const PEP = `CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;Data_Fim_Exercício;Data_Fim_Carência`;
/** The visible digits of a CPF of the tests, as the published list masks them. */
const masked = (cpf: string): string => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;
const HOUSE = 'key;name;kind;birthDate;type;value';

async function fill(organisationId: string, list: Omit<NewList, 'name'>, file: string): Promise<void> {
  const ctx = systemActor(organisationId, 'test');
  const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, { ...list, name: list.key });
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, row, null);
  const main = Readable.from([Buffer.from(file)]);
  const { status } = await importer.runImport(
    ctx,
    row,
    id,
    { main, bytesTotal: null },
    { confirmation: 'NEVER' },
  );
  expect(status).toBe('PUBLISHED');
  await keeper.refresh();
}

beforeAll(async () => {
  t = await startTestApp();
  keeper = t.app.get(SearchIndexService);
  client = await t.client({ rules: false });
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  api = t.api.as(client);
  const { organisationId } = client;
  await fill(
    organisationId,
    { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
    `${HOUSE}\ns1;Anacleto Sancionado Ficticio;PERSON;;;\ns2;Belmira Outra Ficticia;PERSON;1950;;\n`,
  );
  const yesterday = new Date(Date.now() - 30 * 3_600_000);
  const day = new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo' }).format(yesterday);
  await fill(
    organisationId,
    { key: 'pep', kind: 'PEP', format: 'CGU_PEP_CSV' },
    [
      PEP,
      `${masked(CPF.customer)};HELENA MARIA DA SILVA;PREF;PREFEITA;;MUN. DE EXEMPLO;01/01/2021;Não informada;Não informada`,
      `${masked(CPF.customer)};OTAVIO BENTO SANTOS;VER;VEREADOR;;MUN. DE EXEMPLO;01/01/2017;31/12/2020;${day}`,
      `***.000.001-**;JOSE CARLOS DA SILVA;VER;VEREADOR;;MUN. DE EXEMPLO;01/01/2021;Não informada;Não informada`,
      '',
    ].join('\n'),
  );
  await fill(
    organisationId,
    { key: 'house', kind: 'BLOCKLIST', format: 'HOUSE_CSV' },
    `${HOUSE}\nb1;;;;ACCOUNT;0001-99\n`,
  );
});

afterAll(async () => {
  await t.close();
});

const CUSTOMER = { cpfCnpj: CPF.customer, country: 'BR' };
const PAYEE = { name: 'João Exemplo', cpfCnpj: CPF.payee, accountReference: '0001-77', country: 'BR' };

let last = 0;
async function evaluated(
  origin: object,
  destination: object = PAYEE,
  more: object = {},
): Promise<TransactionAnswer> {
  last += 1;
  const body = aTransaction({
    transactionId: `scr-${last}`,
    externalCustomerId: `cust-${last}`,
    amount: 100,
    origin: { ...CUSTOMER, ...origin },
    destination,
    ...more,
  });
  await api.ingest(body).expect(202);
  return api.settled(`scr-${last}`);
}
const rulesOf = (answer: TransactionAnswer): string[] => answer.reasons.map(({ ruleId }) => ruleId);

describe('Screening in the pipeline', () => {
  it('a wallet, a passport and a vessel of a published list of sanctions hold the transaction', async () => {
    const alone = await t.client({ rules: false });
    await t.app.get(RulesetsService).publish(alone.organisationId, brStarter, 'test');
    await fill(
      alone.organisationId,
      { key: 'ofac', kind: 'SANCTIONS', format: 'OFAC_SDN_CSV' },
      [
        '1,"FICTICIO, Zenobio","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB circa 1950; Passport X-123 45 (Iran) expires 12 Dec 2020; Digital Currency Address - XBT 1FicticioFicticioFicticio; alt. Digital Currency Address - ETH 0xABCDEF0123."',
        '2,"NAVIO FICTICIO","vessel","IRAN",-0- ,"EPFX",-0- ,-0- ,-0- ,"Iran",-0- ,"Vessel Registration Identification IMO 9000001."',
        '',
      ].join('\n'),
    );
    const ask = async (destination: object): Promise<TransactionAnswer> => {
      last += 1;
      const transactionId = `scr-${last}`;
      const origin = { ...CUSTOMER, name: 'Maria Exemplo' };
      await t.api
        .as(alone)
        .ingest(aTransaction({ transactionId, amount: 100, origin, destination }))
        .expect(202);
      return t.api.as(alone).settled(transactionId);
    };
    for (const destination of [
      { walletReference: '1FicticioFicticioFicticio' },
      { walletReference: '0xabcdef0123' },
      { name: 'Outro Nome Qualquer', metadata: { passportNumber: 'x12345' } },
      { accountReference: '77', metadata: { vesselNumber: 'IMO 9000001' } },
      { accountReference: '78', metadata: { identifier: '900-0001' } },
    ]) {
      const answer = await ask({ ...destination, country: 'BR' });
      expect(rulesOf(answer)).toContain('BR-LIST-01');
      expect(answer.outcome).not.toBe('APPROVED');
    }
    const other = await ask({ walletReference: '1ficticioficticioficticio', country: 'BR' });
    expect(rulesOf(other)).not.toContain('BR-LIST-01');
  });

  it('says which snapshots answered and how old they are', async () => {
    const answer = await evaluated({ name: 'Maria Exemplo' });
    expect(answer.components!['LISTS']).toMatchObject({
      state: 'NO_HIT',
      source: 'house@1 (0 d), pep@1 (0 d), sanctions@1 (0 d)',
    });
    expect(rulesOf(answer)).not.toContain('BR-LIST-01');
  });

  it('a masked CPF that is equal with another name is no hit; with the name it forces a review', async () => {
    const other = await evaluated({ name: 'Ursula Quitéria Exemplar' });
    expect(rulesOf(other)).not.toContain('BR-LIST-02');
    expect(other.components!['LISTS']!.state).toBe('NO_HIT');
    const same = await evaluated({ name: 'Helena M. da Silva' });
    expect(rulesOf(same)).toContain('BR-LIST-02');
    expect(same.outcome).toBe('REVIEW');
  });

  it('a politically exposed person whose grace ended yesterday is none', async () => {
    const answer = await evaluated({ name: 'Otavio Bento Santos' });
    expect(rulesOf(answer)).not.toContain('BR-LIST-02');
    expect(answer.components!['LISTS']!.state).toBe('NO_HIT');
  });

  it('a namesake of whom nothing else is known is evidence that is stored, not a review', async () => {
    const answer = await evaluated(
      { name: 'Maria Exemplo' },
      { ...PAYEE, name: 'José Carlos da Silva', cpfCnpj: undefined },
    );
    expect(rulesOf(answer)).not.toContain('BR-LIST-02');
    // Its document would tell more, and is demanded.
    expect(answer.components!['LISTS']).toMatchObject({
      ...{ state: 'PARTIAL', reason: 'COUNTERPARTY_WITHOUT_DOCUMENT' },
    });
    const analyst = t.api.asOperator(
      await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId }),
    );
    const { body } = await analyst.get('/operator/hits?mandatory=false').expect(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        role: 'DESTINATION',
        asked: 'José Carlos da Silva',
        list: 'pep',
        strength: 'NAME',
        mandatory: false,
      }),
    ]);
  });

  it('a name on a list of sanctions forces a review from 0.85, unless the birth date contradicts', async () => {
    const answer = await evaluated(
      { name: 'Maria Exemplo' },
      { ...PAYEE, name: 'SANCIONADO FICTICIO, Anacletto' },
    );
    expect(rulesOf(answer)).toContain('BR-LIST-01');
    expect(answer).toMatchObject({ outcome: 'REVIEW' });
    const born = (year: string): Promise<TransactionAnswer> =>
      evaluated(
        { name: 'Maria Exemplo' },
        { ...PAYEE, name: 'Belmira Outra Ficticia', metadata: { birthDate: `${year}-01-01` } },
      );
    expect(rulesOf(await born('1950'))).toContain('BR-LIST-01');
    expect(rulesOf(await born('1990'))).not.toContain('BR-LIST-01');
  });

  it('an owner and a representative who are named are screened, with their role, on either side', async () => {
    const company = { name: 'Loja Exemplo LTDA', cpfCnpj: '11.222.333/0001-81', country: 'BR' };
    const harmless = { role: 'OWNER', name: 'Ana Exemplo' };
    const named = (role: string, more: object = {}): object => ({
      people: [harmless, { role, name: 'Belmira Outra Ficticia', ...more }],
    });
    expect(rulesOf(await evaluated({ name: 'Maria Exemplo' }, { ...company, people: [harmless] }))).toEqual(
      [],
    );
    const held = await evaluated({ name: 'Maria Exemplo' }, { ...company, ...named('OWNER') });
    expect(held).toMatchObject({ outcome: 'REVIEW', verdict: 'HOLD' });
    expect(rulesOf(held)).toContain('BR-LIST-01');
    const own = await evaluated({ name: 'Maria Exemplo', ...named('REPRESENTATIVE') });
    expect(rulesOf(own)).toContain('BR-LIST-01');
    const born = (birthDate: string): object => named('OWNER', { birthDate, cpfCnpj: '***.000.001-**' });
    const younger = await evaluated({ name: 'Maria Exemplo' }, { ...company, ...born('1990-01-01') });
    // A name that is there in full is a case, whatever the birth date says.
    expect(younger.outcome).toBe('REVIEW');
    const officer = t.api.asOperator(
      await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId }),
    );
    const { body } = await officer.get('/operator/hits?mandatory=true').expect(200);
    const roles = (body.data as { entryKey: string; role: string }[])
      .filter(({ entryKey }) => entryKey === 's2')
      .map(({ role }) => role);
    expect(roles).toContain('OWNER');
  });

  it('an account on the blocklist is a hit, and one that was dismissed is none', async () => {
    const answer = await evaluated({ name: 'Maria Exemplo' }, { ...PAYEE, accountReference: '0001-99' });
    expect(rulesOf(answer)).toContain('BR-LIST-03');
    const officer = t.api.asOperator(
      await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId }),
    );
    const { body } = await officer.get('/operator/hits?mandatory=true').expect(200);
    const hits = body.data as { id: string; list: string; equal: string[] }[];
    const hit = hits.find(({ list }) => list === 'house')!;
    expect(hit.equal).toEqual(['ACCOUNT']);
    const dismissal = {
      disposition: 'DISMISSED_FALSE_POSITIVE',
      justification: 'A conta mudou de titular em janeiro.',
    };
    const alone = await officer.post(`/operator/hits/${hit.id}/disposition`).send(dismissal);
    expectError(alone, 403, 'FOUR_EYES_REQUIRED');
    const proposed = await officer.post(`/operator/hits/${hit.id}/proposals`).send(dismissal).expect(202);
    // While one person has proposed it, it still holds what it is about.
    const before = await evaluated({ name: 'Maria Exemplo' }, { ...PAYEE, accountReference: '0001-99' });
    expect(rulesOf(before)).toContain('BR-LIST-03');
    const second = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
    await approve(t.api.asOperator(second), proposed);
    const after = await evaluated({ name: 'Maria Exemplo' }, { ...PAYEE, accountReference: '0001-99' });
    expect(rulesOf(after)).not.toContain('BR-LIST-03');
    // It costs nothing, and it does not look as if nothing had been found.
    expect(after.components!['LISTS']).toMatchObject({ state: 'HIT_DISMISSED', hits: [hit.id] });
    expect(after.nonDefensibleReasons.filter((reason) => reason.startsWith('LISTS'))).toEqual([]);
  });

  it('a wallet and a PIX key that are listed are found however they are spelt', async () => {
    const alone = await t.client({ rules: false });
    await t.app.get(RulesetsService).publish(alone.organisationId, brStarter, 'test');
    await withLists(t, alone.organisationId);
    const wallet = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
    const key = '123e4567-e89b-12d3-a456-426614174000';
    const listed = cpfOf('listed-by-key');
    await fill(
      alone.organisationId,
      { key: 'wallets', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
      `key;type;value\nw1;WALLET;${wallet}\nw2;WALLET;bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n`,
    );
    await fill(
      alone.organisationId,
      { key: 'pix', kind: 'BLOCKLIST', format: 'HOUSE_CSV' },
      `key;type;value\np1;PIX_KEY;Golpe@Exemplo.com\np2;PIX_KEY;${key}\np3;PIX_KEY;${listed}\np4;PIX_KEY;+5511987654321\np5;ACCOUNT;0001/123456\n`,
    );
    const judged = async (destination: object): Promise<object> => {
      last += 1;
      const transactionId = `scr-${last}`;
      const origin = { ...CUSTOMER, name: 'Maria Exemplo' };
      const body = aTransaction({
        transactionId,
        amount: 100,
        origin,
        destination: { country: 'BR', ...destination },
      });
      await t.api.as(alone).ingest(body).expect(202);
      const answer = await t.api.as(alone).settled(transactionId);
      return { verdict: answer.verdict, rules: rulesOf(answer), lists: answer.components!['LISTS']!.state };
    };
    const toWallet = (walletReference: string): Promise<object> => judged({ ...PAYEE, walletReference });
    const toKey = (pixKey: string): Promise<object> => judged({ ...PAYEE, metadata: { pixKey } });
    const [held, declined] = [await toWallet(wallet), await toKey('Golpe@Exemplo.com')];
    expect(held).toMatchObject({
      verdict: 'HOLD',
      lists: 'HIT',
      rules: expect.arrayContaining(['BR-LIST-01']) as unknown,
    });
    expect(declined).toMatchObject({ verdict: 'DECLINE', lists: 'HIT' });
    for (const spelling of [wallet.toLowerCase(), 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4']) {
      expect([spelling, await toWallet(spelling)]).toEqual([spelling, held]);
    }
    const dotted = `${listed.slice(0, 3)}.${listed.slice(3, 6)}.${listed.slice(6, 9)}-${listed.slice(9)}`;
    for (const spelling of ['golpe@EXEMPLO.com', key.toUpperCase(), dotted, '+55 (11) 98765-4321']) {
      expect([spelling, await toKey(spelling)]).toEqual([spelling, declined]);
    }
    for (const other of ['outro@exemplo.com', '+5511987654322', cpfOf('not-listed')]) {
      expect(await toKey(other)).toMatchObject({ verdict: 'RELEASE', lists: 'NO_HIT' });
    }
    for (const link of [
      `ethereum:${wallet}@1`,
      'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1',
    ]) {
      expect(await toWallet(link)).toMatchObject({ verdict: 'HOLD', lists: 'HIT' });
    }
    const toAccount = (accountReference: string): Promise<object> => judged({ ...PAYEE, accountReference });
    expect(await toAccount(wallet.toLowerCase())).toMatchObject({ verdict: 'HOLD', lists: 'HIT' });
    for (const account of ['Golpe@exemplo.com', '1/12345-6']) {
      expect(await toAccount(account)).toMatchObject({ verdict: 'DECLINE', lists: 'HIT' });
    }
    expect(await toWallet('0001 / 12.345-6')).toMatchObject({ verdict: 'DECLINE', lists: 'HIT' });
  });

  it('what was found when the customer was named still stands when the customer is not', async () => {
    const known = { externalCustomerId: 'named-once', cpfCnpj: undefined };
    expect(
      rulesOf(await evaluated({ name: 'Anacleto Sancionado Ficticio', cpfCnpj: undefined }, PAYEE, known)),
    ).toContain('BR-LIST-01');
    const unnamed = await evaluated({ cpfCnpj: undefined }, PAYEE, known);
    expect(rulesOf(unnamed)).toContain('BR-LIST-01');
    expect(unnamed.outcome).toBe('REVIEW');
  });

  it('a customer who was never named is not taken for one without a hit', async () => {
    const answer = await evaluated({ cpfCnpj: undefined }, PAYEE, {
      externalCustomerId: 'never-named',
      cpfCnpj: undefined,
    });
    expect(answer.components!['LISTS']).toMatchObject({ state: 'PARTIAL', reason: 'CUSTOMER_NOT_NAMED' });
    expect(answer).toMatchObject({ composition: 'PARTIAL', outcome: 'REVIEW', defensible: false });
  });
});

describe('Under rules that ask no list', () => {
  it('nothing is approved while a hit of sanctions waits for two people', async () => {
    const plain = await t.client();
    const { organisationId } = plain;
    await fill(
      organisationId,
      { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
      `${HOUSE}\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n`,
    );
    await fill(
      organisationId,
      { key: 'pep', kind: 'PEP', format: 'HOUSE_CSV' },
      `${HOUSE}\np1;Otavio Politico Ficticio;PERSON;;;\n`,
    );
    const own = t.api.as(plain);
    const paid = async (transactionId: string, name: string): Promise<TransactionAnswer> => {
      const origin = { ...CUSTOMER, name: 'Maria Exemplo' };
      await own
        .ingest(aTransaction({ transactionId, amount: 100, origin, destination: { ...PAYEE, name } }))
        .expect(202);
      return own.settled(transactionId);
    };
    expect(await paid('plain-1', 'João Exemplo')).toMatchObject({ verdict: 'RELEASE' });
    const listed = 'Anacleto Sancionado Ficticio';
    const held = await paid('plain-2', listed);
    expect(held).toMatchObject({
      ...{ verdict: 'HOLD', outcome: 'REVIEW', recommendedAction: 'HOLD', riskScore: 0, reasons: [] },
      reviewId: expect.stringMatching(/^rev_/) as unknown,
      components: { LISTS: { state: 'HIT', reason: 'HIT_UNDECIDED' } },
    });
    const { rows } = await t.owner.query<{ id: string }>(
      'SELECT id FROM kyt_transactions WHERE organisation_id = $1 AND transaction_id = $2',
      [organisationId, held.transactionId],
    );
    const bundle = await t.app.get(ReceiptExportService).createBundle(organisationId, rows[0]!.id, null);
    expect(verifyReceipt(bundle).problems).toEqual([]);

    const officers = await Promise.all(
      [1, 2].map(async () =>
        t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId })),
      ),
    );
    const [first, second] = officers as [TestApi, TestApi];
    const { body } = await first.get('/operator/hits?mandatory=true&status=PENDING').expect(200);
    const [hit] = body.data as { id: string }[];
    const justification = 'Another date of birth in the identity document.';
    // An escalation passes the question on.
    await first
      .post(`/operator/hits/${hit!.id}/disposition`)
      .send({ disposition: 'ESCALATED', justification })
      .expect(200);
    expect(await paid('plain-3', listed)).toMatchObject({ verdict: 'HOLD' });
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification };
    await approve(
      second,
      await first.post(`/operator/hits/${hit!.id}/proposals`).send(dismissal).expect(202),
    );
    expect(await paid('plain-4', listed)).toMatchObject({
      verdict: 'RELEASE',
      components: { LISTS: { state: 'HIT_DISMISSED', hits: [hit!.id] } },
    });
  });
});

describe('An own list', () => {
  it('is asked by rules as list(…).has(…)', async () => {
    await fill(
      client.organisationId,
      { key: 'fatf-call-for-action', kind: 'WATCH', format: 'HOUSE_CSV' },
      `${HOUSE}\nc1;;;;COUNTRY;PY\n`,
    );
    const answer = await evaluated({ name: 'Maria Exemplo' }, { ...PAYEE, country: 'PY' });
    expect(rulesOf(answer)).toContain('BR-GEO-21');
  });
});

describe('A list with many namesakes', () => {
  it('holds the payment to the one whom nothing clears, and says when there are more than are kept', async () => {
    const many = await t.client({ rules: false });
    await t.app.get(RulesetsService).publish(many.organisationId, brStarter, 'test');
    const cleared = Array.from(
      { length: 300 },
      (_, i) => `n${i};Maria Aparecida da Silva;PERSON;;DOCUMENT;${cpfOf(`namesake ${i}`)}`,
    );
    const others = Array.from({ length: 101 }, (_, i) => `o${i};Otavio Bento Santos;PERSON;;;`);
    await fill(
      many.organisationId,
      { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
      [HOUSE, ...cleared, 's1;Maria Aparecida Silva;PERSON;;;', ...others, ''].join('\n'),
    );
    await fill(
      many.organisationId,
      { key: 'pep', kind: 'PEP', format: 'HOUSE_CSV' },
      `${HOUSE}\np1;Belarmina Politica Ficticia;PERSON;;;\n`,
    );
    const paid = async (name: string): Promise<TransactionAnswer> => {
      const sent = aTransaction({ destination: { ...PAYEE, name } });
      await t.api.as(many).ingest(sent).expect(202);
      return t.api.as(many).settled(sent.transactionId);
    };
    expect(await paid('João Exemplo')).toMatchObject({ verdict: 'RELEASE', defensible: true });
    const held = await paid('Maria Aparecida da Silva');
    expect(held).toMatchObject({ verdict: 'HOLD', components: { LISTS: { state: 'HIT' } } });
    expect(rulesOf(held)).toContain('BR-LIST-01');
    expect(await paid('Otavio Bento Santos')).toMatchObject({
      ...{ verdict: 'HOLD', composition: 'PARTIAL', defensible: false },
      nonDefensibleReasons: expect.arrayContaining(['LISTS_PARTIAL']) as unknown,
      components: { LISTS: { state: 'PARTIAL', reason: 'TOO_MANY_MATCHES' } },
    });
    const analyst = t.api.asOperator(
      await t.operator({ roles: ['ANALYST'], organisationId: many.organisationId }),
    );
    const { body } = await analyst.get('/operator/hits?mandatory=true&limit=100').expect(200);
    expect(body.data).toHaveLength(100);
  });
});

describe('Without a usable list', () => {
  it('a stale list makes the result PARTIAL and never APPROVED', async () => {
    const stale = await t.client({ rules: false });
    await t.app.get(RulesetsService).publish(stale.organisationId, brStarter, 'test');
    await fill(
      stale.organisationId,
      { key: 'sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' },
      `${HOUSE}\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n`,
    );
    await fill(
      stale.organisationId,
      { key: 'pep', kind: 'PEP', format: 'CGU_PEP_CSV' },
      `${PEP}\n***.000.001-**;JOSE CARLOS DA SILVA;VER;VEREADOR;;X;01/01/2021;Não informada;Não informada\n`,
    );
    await asTheService(
      t,
      stale.organisationId,
      `UPDATE screening_lists SET published_at = now() - interval '8 days' WHERE organisation_id = $1 AND key = 'sanctions'`,
      [stale.organisationId],
    );
    await keeper.refresh();
    const own = t.api.as(stale);
    await own.ingest(aTransaction({ transactionId: 'stale-1' })).expect(202);
    const answer = await own.settled('stale-1');
    expect(answer.components!['LISTS']).toMatchObject({
      state: 'STALE_SOURCE',
      reason: 'LIST_STALE:sanctions',
    });
    expect(answer).toMatchObject({ composition: 'PARTIAL', outcome: 'REVIEW', defensible: false });
    // Entries of the old list still count.
    await own
      .ingest(
        aTransaction({
          transactionId: 'stale-2',
          origin: { ...CUSTOMER, name: 'Anacleto Sancionado Ficticio' },
        }),
      )
      .expect(202);
    expect(rulesOf(await own.settled('stale-2'))).toContain('BR-LIST-01');
  });

  it('a stopped index is said, the pipeline goes on, and nothing is approved', async () => {
    await keeper.stop();
    const answer = await evaluated({ name: 'Maria Exemplo' });
    expect(answer.components!['LISTS']).toMatchObject({ state: 'ERROR', reason: 'INDEX_STOPPED' });
    expect(answer).toMatchObject({ composition: 'PARTIAL', outcome: 'REVIEW', defensible: false });
    const health = await t.api.get('/health/ready').expect(200);
    expect(health.body.degraded).toContain('screening');
    keeper.start();
    await eventually('the index is ready', () => keeper.readState() === 'READY');
    expect((await t.api.get('/health/ready').expect(200)).body.degraded).not.toContain('screening');
    const after = await evaluated({ name: 'Maria Exemplo' });
    expect(after.components!['LISTS']!.state).toBe('NO_HIT');
  });

  later('a process that stops screens what it has begun', async () => {
    const first = await startTestApp({ settings: { evaluateOnArrival: false } });
    const own = await first.client();
    await withLists(first, own.organisationId);
    const identification = first.app.get(CustomerIdentificationService);
    const identify = identification.identify.bind(identification);
    let closing: Promise<void> | undefined;
    jest.spyOn(identification, 'identify').mockImplementationOnce(async (observations) => {
      closing = first.close();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return identify(observations);
    });
    const body = aTransaction();
    await first.api.as(own).ingest(body).expect(202);
    await eventually('it stops', () => closing !== undefined);
    await closing;
    const second = await startTestApp({ like: first });
    try {
      const { components } = await second.api.as(own).settled(body.transactionId);
      expect(components?.['LISTS']).toMatchObject({ state: 'NO_HIT' });
    } finally {
      await second.close();
    }
  });

  it('an organisation without lists is told so', async () => {
    const bare = await t.client({ rules: false });
    await t.app.get(RulesetsService).publish(bare.organisationId, brStarter, 'test');
    const own = t.api.as(bare);
    await own.ingest(aTransaction({ transactionId: 'bare-1' })).expect(202);
    const answer = await own.settled('bare-1');
    expect(answer.components!['LISTS']).toMatchObject({ state: 'MISSING_INPUT', reason: 'NO_LISTS' });
    expect(answer.outcome).toBe('REVIEW');
  });
});

describe('customer.identified', () => {
  it('comes once for a customer, with the document masked', async () => {
    await evaluated({ name: 'Maria Exemplo' }, PAYEE, {
      externalCustomerId: 'announced',
      cpfCnpj: undefined,
    });
    await evaluated({ name: 'Maria Exemplo' }, PAYEE, {
      externalCustomerId: 'announced',
      cpfCnpj: undefined,
    });
    const { rows } = await t.owner.query(
      `SELECT c.id, (SELECT count(*)::int FROM events e WHERE e.resource_id = c.id AND e.type = 'customer.identified') AS events
       FROM customers c WHERE organisation_id = $1 AND merged_into IS NULL`,
      [client.organisationId],
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(new Set(rows.map(({ events }: { events: number }) => events))).toEqual(new Set([1]));
    expect(publicId('cus', rows[0].id)).toMatch(/^cus_/);
  });
});
