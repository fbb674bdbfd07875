import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemActor, AuditTrail } from '../../src/features/audit/index.js';
import { ClientAppsService } from '../../src/features/auth/index.js';
import {
  CustomerIdentificationService,
  CustomersService,
  type CustomerObservation,
} from '../../src/features/customers/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { TaxId } from '../../src/platform/kernel/values/tax-id.js';
import { BlindIndex } from '../../src/platform/privacy/index.js';
import {
  HitDispositionService,
  SearchIndexService,
  ListImporterService,
  ListLookups,
  type NewList,
  type ScreenedParty,
  partyOfCustomer,
  sampleLists,
  ScreenerService,
  ScreeningListsService,
  type SnapshotRow,
} from '../../src/features/screening/index.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestApi, TestClient, TestOperator } from '../support/api.js';
import { processEnv } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { approve } from '../support/approvals.js';
import { fromSource } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { again, later } from '../support/needs.js';

let t: TestApp;
let keeper: SearchIndexService;

beforeAll(async () => {
  t = await startTestApp();
  keeper = t.app.get(SearchIndexService);
});

afterAll(async () => {
  await t.close();
});

const HEADER = 'key;name;aliases;kind;document;birthDate;countries;type;value;validFrom;validUntil;remarks';
interface Line {
  readonly key: string;
  readonly name?: string;
  readonly aliases?: string;
  readonly document?: string;
  readonly birthDate?: string;
  readonly type?: string;
  readonly value?: string;
  readonly validUntil?: string;
}
const fileOf = (lines: readonly (Line | string)[]): string =>
  [
    HEADER,
    ...lines.map((line) =>
      typeof line === 'string'
        ? line
        : `${line.key};${line.name ?? ''};${line.aliases ?? ''};PERSON;${line.document ?? ''};${line.birthDate ?? ''};;${line.type ?? ''};${line.value ?? ''};;${line.validUntil ?? ''};`,
    ),
  ].join('\n');

async function organisation(): Promise<string> {
  const name = `scr-${randomBytes(4).toString('hex')}`;
  return t.app.get(ClientAppsService).ensureOrganisation(name, name);
}

async function imported(
  organisationId: string,
  list: Partial<NewList> & Pick<NewList, 'key'>,
  file: string,
  confirmation: 'ALWAYS' | 'ON_SHRINK' | 'NEVER' = 'ON_SHRINK',
): Promise<SnapshotRow> {
  const ctx = systemActor(organisationId, 'test');
  const row = await t.app.get(ScreeningListsService).findOrCreate(ctx, {
    name: list.key,
    kind: 'SANCTIONS',
    format: 'HOUSE_CSV',
    ...list,
  });
  const importer = t.app.get(ListImporterService);
  const { id } = await importer.startImport(ctx, row, null);
  const main = Readable.from([Buffer.from(file)]);
  const snapshot = await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation });
  await keeper.refresh();
  return snapshot;
}

const party = (
  organisationId: string,
  name: string | null,
  facts: Partial<ScreenedParty['facts']> = {},
  values: ScreenedParty['values'] = [],
): ScreenedParty => ({
  role: 'CUSTOMER',
  name,
  kind: 'PERSON',
  facts: { document: null, visibleDigits: null, birthDate: null, nationalities: [], ...facts },
  values,
  subject: {
    organisationId,
    index: t.app.get(BlindIndex).computeIndex(organisationId, 'name', `${name ?? ''}${facts.document ?? ''}`),
  },
  customerId: null,
  transactionRef: null,
});

const screen = (
  organisationId: string,
  parties: readonly ScreenedParty[],
  now = new Date(),
): ReturnType<ScreenerService['screen']> =>
  t.app.get(ScreenerService).screen(organisationId, parties, now.toISOString().slice(0, 10), now);

/** Names that have nothing to do with each other. */
const people = (count: number): Line[] =>
  Array.from({ length: count }, (_, i) => ({ key: `p${i}`, name: madeUp(i) }));

function madeUp(i: number): string {
  let state = (i + 1) * 2_654_435_761;
  const next = (n: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37) >>> 0;
    return state % n;
  };
  const word = (): string => {
    let text = '';
    for (let s = 0; s < 3; s += 1) text += 'bdfglmnprstvz'.charAt(next(13)) + 'aeiou'.charAt(next(5));
    return text.charAt(0).toUpperCase() + text.slice(1) + 'lrsn'.charAt(next(4));
  };
  return `${word()} ${word()} ${word()}`;
}

describe('An import', () => {
  it('counts broken lines with their numbers and imports the rest', async () => {
    const organisationId = await organisation();
    const snapshot = await imported(
      organisationId,
      { key: 'l1' },
      fileOf([...people(3), ';;;;;;;;;;;', 'b;X;;PERSON;123;;;;;;;', { key: 'p9', name: 'Ultimo Exemplo' }]),
    );
    expect(snapshot).toMatchObject({
      status: 'PUBLISHED',
      entries: 4,
      linesBroken: 2,
      added: 4,
      sequence: 1,
      broken: [
        { line: 5, problem: 'NEITHER_NAME_NOR_VALUE' },
        { line: 6, problem: 'DOCUMENT_INVALID' },
      ],
    });
    expect(snapshot.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of the same file again changes nothing but the age of the list', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(20)));
    const before = await t.app.get(ScreeningListsService).findOrCreate(systemActor(organisationId, 'test'), {
      key: 'l1',
      name: '',
      kind: 'SANCTIONS',
      format: 'HOUSE_CSV',
    });
    const again = await imported(organisationId, { key: 'l1' }, fileOf(people(20)));
    expect(again).toMatchObject({ status: 'UNCHANGED', unchanged: 20, added: 0, sequence: null });
    const after = await t.app.get(ScreeningListsService).get(organisationId, before.id);
    expect(after).toMatchObject({ sequence: 1, entries: 20 });
    expect(after.publishedAt!.getTime()).toBeGreaterThan(before.publishedAt!.getTime());
    const { rows } = await t.owner.query(
      'SELECT count(*)::int AS n FROM screening_entries WHERE list_id = $1',
      [before.id],
    );
    expect(rows[0].n).toBe(20);
  });

  it('that shrinks the list by 30 % waits for a confirmation, and the list stays as it was', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(20)));
    const shrunk = await imported(organisationId, { key: 'l1' }, fileOf(people(14)));
    expect(shrunk).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      reason: 'LIST_SHRINKS',
      removed: 6,
      sequence: null,
    });
    const found = await screen(organisationId, [party(organisationId, people(20)[19]!.name!)]);
    expect(found.matches[0]).toHaveLength(1);
    const ctx = systemActor(organisationId, 'test');
    const list = await t.app.get(ScreeningListsService).get(organisationId, shrunk.listId);
    await expect(t.app.get(ListImporterService).startImport(ctx, list, null)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
    const officer = async (): Promise<TestApi> =>
      t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const [maker, checker] = [await officer(), await officer()];
    const path = `/operator/lists/${publicId('lst', list.id)}/imports/${publicId('imp', shrunk.id)}/confirm`;
    await approve(checker, await maker.post(path).send({ reason: 'compared by hand' }).expect(202));
    await keeper.refresh();
    const gone = await screen(organisationId, [party(organisationId, people(20)[19]!.name!)]);
    expect(gone.matches[0]).toHaveLength(0);
  });

  later('that shrinks it by 20 % does not wait', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(20)));
    expect(await imported(organisationId, { key: 'l1' }, fileOf(people(16)))).toMatchObject({
      status: 'PUBLISHED',
      removed: 4,
    });
  });

  later('that follows other small losses waits: many small ones are a large one', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(20)));
    await imported(organisationId, { key: 'l1' }, fileOf(people(17)));
    const second = await imported(organisationId, { key: 'l1' }, fileOf(people(14)));
    expect(second).toMatchObject({ status: 'AWAITING_CONFIRMATION', reason: 'LIST_SHRINKS', removed: 3 });
  });

  it('of an allow list waits when it grows or changes, from the first one on', async () => {
    const organisationId = await organisation();
    const list = { key: 'friends', kind: 'ALLOWLIST' } as const;
    const waiting = { status: 'AWAITING_CONFIRMATION', reason: 'LIST_ALLOWS' };
    expect(await imported(organisationId, list, fileOf(people(1)))).toMatchObject(waiting);
    const other = { ...list, key: 'others' };
    const first = await imported(organisationId, other, fileOf(people(3)), 'NEVER');
    expect(first).toMatchObject({ status: 'PUBLISHED', reason: 'LIST_ALLOWS' });
    expect(await imported(organisationId, other, fileOf(people(1)))).toMatchObject({ status: 'PUBLISHED' });
    const [person] = people(1);
    const renamed = fileOf([{ ...person!, name: 'Somebody Else Entirely' }]);
    expect(await imported(organisationId, other, renamed)).toMatchObject(waiting);
  });

  it('of another format fails and changes nothing', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(3)));
    const failed = await imported(organisationId, { key: 'l1' }, '<html>not a list</html>');
    expect(failed).toMatchObject({ status: 'FAILED', reason: 'NOT_THIS_FORMAT', dropped: [] });
    const older = await imported(
      organisationId,
      { key: 'uk', format: 'UK_OFSI_CSV' },
      'Report Date: 18-Aug-2026\nName 6,Name 1,Unique ID,D.O.B\nExemplo,Ali,XXX0001,01/02/1971\n',
    );
    const said = (problem: string, ...columns: readonly string[]) =>
      columns.map((column) => ({ line: 2, column, problem }));
    expect(older).toMatchObject({
      ...{ status: 'FAILED', reason: 'NOT_THIS_FORMAT', linesBroken: 0 },
      broken: said('COLUMN_MISSING', 'group type', 'group id'),
      dropped: said('COLUMN_FOUND', 'name 6', 'name 1', 'unique id', 'd o b'),
    });
    // A file without a line of column names quotes nobody.
    const people5 = 'Maria Segredo;529.982.247-25;1980-05-17\n'.repeat(5);
    expect(await imported(organisationId, { key: 'l1' }, people5)).toMatchObject({
      ...{ reason: 'NOT_THIS_FORMAT', dropped: [], broken: [{ column: 'key' }] },
    });
    expect(
      (await screen(organisationId, [party(organisationId, people(1)[0]!.name!)])).matches[0],
    ).toHaveLength(1);
  });

  it('of an own list leaves no name and no document readable in the database', async () => {
    const organisationId = await organisation();
    const secret = 'Zulmira Segredo Inconfundivel';
    await imported(
      organisationId,
      { key: 'own', kind: 'BLOCKLIST' },
      fileOf([{ key: 'x1', name: secret, document: '529.982.247-25' }]),
    );
    const { rows } = await t.owner.query(
      `SELECT row_to_json(e)::text AS row FROM screening_entries e WHERE organisation_id = $1
       UNION ALL SELECT row_to_json(s)::text FROM screening_staged s WHERE organisation_id = $1`,
      [organisationId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].row).not.toMatch(/Zulmira|Segredo|52998224725/);
    expect((await screen(organisationId, [party(organisationId, secret)])).matches[0]).toHaveLength(1);
  });
});

describe('vigia lists import', () => {
  const fixtures = path.resolve('test/fixtures/lists');
  const at = (name: string): string => path.join(fixtures, name);
  let key: string;
  let folder: string;

  beforeAll(async () => {
    key = `cli-${randomBytes(4).toString('hex')}`;
    await t.app.get(ClientAppsService).ensureOrganisation(key, key);
    folder = await mkdtemp(path.join(tmpdir(), 'vigia-lists-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the command line on the data of the test; a refusal is an answer too. */
  const lists = async (file: string, ...options: string[]): Promise<{ code: number; stdout: string }> => {
    const given = ['lists', 'import', file, '--kind', 'SANCTIONS', '--organisation', key, ...options];
    const ran = spawnSync(process.execPath, [...fromSource('cli/main.ts'), ...given], {
      env: processEnv(t),
      encoding: 'utf8',
    });
    await keeper.refresh();
    return { code: ran.status ?? -1, stdout: ran.stdout };
  };
  const ofac = (file: string): ReturnType<typeof lists> =>
    lists(file, '--list', 'ofac', '--format', 'OFAC_SDN_CSV', '--aliases', at('ofac-alt.csv'));
  const entries = async (list: string): Promise<number> => {
    const { rows } = await t.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM screening_entries e JOIN screening_lists l ON l.id = e.list_id
       JOIN organisations o ON o.id = l.organisation_id WHERE o.key = $1 AND l.key = $2`,
      [key, list],
    );
    return rows[0]!.n;
  };

  // Those after it find its list.
  again('reads OFAC with its aliases; lines that are broken are named', async () => {
    const first = await ofac(at('ofac-sdn.csv'));
    expect(first.stdout).toContain('PUBLISHED');
    expect(first.stdout).toContain('10 entries with 14 names; 10 added, 0 changed, 0 removed, 0 unchanged');
    expect(first.stdout).toMatch(/2 lines were not read:\n {2}line 5: \w+\n {2}line 9: \w+\n/);
    expect(first.code).toBe(0);
    expect(await entries('ofac')).toBe(10);
    const organisationId = (await t.app.get(ClientAppsService).findOrganisationId(key))!;
    const alias = await screen(organisationId, [party(organisationId, 'Zoltan Imaginary')]);
    expect(alias.matches[0]).toMatchObject([{ mandatory: true, list: { key: 'ofac' } }]);
  });

  later('reads a file twice as once', async () => {
    const again = await ofac(at('ofac-sdn.csv'));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('UNCHANGED') });
    expect(await entries('ofac')).toBe(10);
  });

  later('refuses a list that lost 30 % of its entries, until somebody says yes', async () => {
    const text = await readFile(at('ofac-sdn.csv'), 'utf8');
    const shrunk = path.join(folder, 'shrunk.csv');
    const lost = ['90005,', '90006,', '90007,'];
    const kept = text.split('\r\n').filter((line) => !lost.some((start) => line.startsWith(start)));
    await writeFile(shrunk, kept.join('\r\n'));
    const refused = await ofac(shrunk);
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringContaining('LIST_SHRINKS') });
    expect(refused.stdout).toContain('3 removed');
    const organisationId = (await t.app.get(ClientAppsService).findOrganisationId(key))!;
    const gone = party(organisationId, 'Facundo Inventado Lopez');
    expect((await screen(organisationId, [gone])).matches[0]).toHaveLength(1);
  });

  later('reads the XML of the United Nations', async () => {
    const un = await lists(at('un-consolidated.xml'), '--list', 'un', '--format', 'UN_XML');
    expect(un.stdout).toContain('10 entries with 17 names; 10 added');
    expect(un.stdout).toMatch(/1 lines were not read:\n {2}line 7: NOT_WELL_FORMED\n/);
    expect(un.code).toBe(0);
    expect(await entries('un')).toBe(10);
  });
});

describe('The samples that ship', () => {
  later('are read without a broken line, and a person of them is found', async () => {
    const organisationId = await organisation();
    for (const { list, file } of sampleLists) {
      expect(await imported(organisationId, list, file)).toMatchObject({
        status: 'PUBLISHED',
        linesBroken: 0,
      });
    }
    const { matches, state } = await screen(
      organisationId,
      [
        party(organisationId, 'Imaginarov, Zoltan'),
        party(organisationId, 'Helena Quirino Exemplar', { visibleDigits: '982247' }),
        party(organisationId, 'Otavio Bento Fictício', { visibleDigits: '123456' }, []),
      ],
      new Date('2026-01-01T12:00:00Z'),
    );
    expect(state).toBe('READY');
    expect(matches[0]).toMatchObject([
      { mandatory: true, strength: 'NAME', list: { key: 'sample-sanctions' } },
    ]);
    expect(matches[1]).toMatchObject([{ mandatory: true, strength: 'STRONG', list: { key: 'sample-pep' } }]);
    // The grace ended the day before.
    expect(matches[2]).toEqual([]);
  });
});

describe('The index', () => {
  it('answers with the old snapshot until the new one is whole, and finds what a difference brings, changes and takes', async () => {
    const organisationId = await organisation();
    await imported(
      organisationId,
      { key: 'l1' },
      fileOf([
        ...people(30),
        { key: 'a', name: 'Anacleto Velho Nome' },
        { key: 'b', name: 'Benedita Que Fica' },
      ]),
    );
    const id = (
      await t.app.get(ScreeningListsService).findOrCreate(systemActor(organisationId, 'test'), {
        key: 'l1',
        name: '',
        kind: 'SANCTIONS',
        format: 'HOUSE_CSV',
      })
    ).id;
    await imported(
      organisationId,
      { key: 'l1' },
      fileOf([
        ...people(30),
        { key: 'a', name: 'Anacleto Novo Apelido' },
        { key: 'c', name: 'Clotilde Recem Chegada' },
      ]),
    );
    expect(keeper.get(id)).toMatchObject({ segments: 2, row: { sequence: 2 } });
    const names = [
      'Anacleto Velho Nome',
      'Anacleto Novo Apelido',
      'Benedita Que Fica',
      'Clotilde Recem Chegada',
      people(1)[0]!.name!,
    ];
    const { matches } = await screen(
      organisationId,
      names.map((name) => party(organisationId, name)),
    );
    expect(matches.map((found) => found.filter(({ score }) => score > 0.95).length)).toEqual([0, 1, 0, 1, 1]);
  });

  later('is built again from the database after a restart, and keeps organisations apart', async () => {
    const mine = await organisation();
    const theirs = await organisation();
    await imported(mine, { key: 'l1' }, fileOf([{ key: 'a', name: 'Anacleto Somente Meu' }]));
    await keeper.stop();
    expect(keeper.readState(mine)).toBe('STOPPED');
    const stopped = await screen(mine, [party(mine, 'Anacleto Somente Meu')]);
    expect(stopped).toMatchObject({ state: 'STOPPED', matches: [[]] });
    keeper.start();
    // At once: the question waits for the lists.
    expect((await screen(mine, [party(mine, 'Anacleto Somente Meu')])).matches[0]).toHaveLength(1);
    expect(await screen(theirs, [party(theirs, 'Anacleto Somente Meu')])).toMatchObject({
      state: 'NO_LISTS',
      matches: [[]],
    });
  });

  it('that is new holds no payment while its index is built: those that were there serve until it is ready', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1' }, fileOf(people(3)));
    const row = await t.app.get(ScreeningListsService).findOrCreate(systemActor(organisationId, 'test'), {
      key: 'l2',
      name: 'l2',
      kind: 'WATCH',
      format: 'HOUSE_CSV',
    });
    const importer = t.app.get(ListImporterService);
    const ctx = systemActor(organisationId, 'test');
    const { id } = await importer.startImport(ctx, row, null);
    const main = Readable.from([Buffer.from(fileOf(people(5_000)))]);
    await importer.runImport(ctx, row, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
    const states = new Set<string>();
    const asked = setInterval(() => states.add(keeper.readState(organisationId)), 1);
    await keeper.refresh();
    clearInterval(asked);
    expect([...states]).toEqual(['READY']);
    expect(keeper.loadedLists(organisationId).map((list) => list.row.key)).toEqual(['l1', 'l2']);
  });

  it('is as old as the file says that it is, and not as its import', async () => {
    const organisationId = await organisation();
    const file = (day: string): string =>
      `<CONSOLIDATED_LIST dateGenerated="${day}T00:00:09.554Z"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>` +
      '<FIRST_NAME>ANACLETO</FIRST_NAME><SECOND_NAME>FICTICIO</SECOND_NAME><REFERENCE_NUMBER>X.1</REFERENCE_NUMBER>' +
      '</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>';
    const list = { key: 'un', format: 'UN_XML', staleAfterDays: 7 } as const;
    await imported(organisationId, list, file('2019-03-05'));
    const asked = async () =>
      screen(organisationId, [party(organisationId, 'Anacleto Ficticio')], new Date());
    expect(await asked()).toMatchObject({ state: 'STALE', asOf: new Date('2019-03-05T00:00:00.000Z') });
    // The same file again makes it no younger; a file of today does.
    await imported(organisationId, list, file('2019-03-05'));
    expect(await asked()).toMatchObject({ state: 'STALE' });
    await imported(organisationId, list, file(new Date().toISOString().slice(0, 10)));
    expect(await asked()).toMatchObject({ state: 'READY', source: 'un@1 (0 d)' });
  });

  it('says that a list is stale after its days, and answers all the same', async () => {
    const organisationId = await organisation();
    await imported(organisationId, { key: 'l1', staleAfterDays: 7 }, fileOf(people(3)));
    const name = people(1)[0]!.name!;
    const inAWeek = (days: number): Date => new Date(Date.now() + days * 86_400_000);
    expect((await screen(organisationId, [party(organisationId, name)], inAWeek(6.9))).state).toBe('READY');
    const stale = await screen(organisationId, [party(organisationId, name)], inAWeek(7.1));
    expect(stale).toMatchObject({ state: 'STALE', stale: ['l1'] });
    expect(stale.source).toBe('l1@1 (7 d)');
    expect(stale.matches[0]).toHaveLength(1);
  });
});

describe('Exact lists', () => {
  it('find documents, accounts, wallets, devices, address ranges and countries', async () => {
    const organisationId = await organisation();
    await imported(
      organisationId,
      { key: 'house', kind: 'BLOCKLIST' },
      fileOf([
        { key: 'd', document: '529.982.247-25' },
        { key: 'a', type: 'ACCOUNT', value: '0001/1234-5' },
        { key: 'w', type: 'WALLET', value: 'bc1qexample' },
        { key: 'v', type: 'DEVICE', value: 'dev-1' },
        { key: 'i', type: 'IP', value: '10.20.0.0/16' },
        { key: 'j', type: 'IP', value: '2001:db8::/32' },
        { key: 'k', type: 'IP', value: '10.20.30.0/24', validUntil: '2020-01-01' },
        { key: 'c', type: 'COUNTRY', value: 'Iran' },
      ]),
    );
    const lists = t.app.get(ListLookups).forOrganisation(organisationId);
    const asked = [
      '52998224725',
      '0001/1234-5',
      'bc1qexample',
      'dev-1',
      '10.20.255.255',
      '10.21.0.0',
      '2001:DB8:1::7',
      '2001:db9::1',
      'IR',
      'BR',
    ];
    expect(asked.map((value) => lists.has('house', value))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(lists.has('no-such-list', 'x')).toBeUndefined();
    const { matches } = await screen(organisationId, [
      party(organisationId, null, {}, [
        { type: 'WALLET', value: 'bc1qexample' },
        { type: 'IP', value: '10.20.1.1' },
      ]),
    ]);
    expect(matches[0]).toMatchObject([
      { mandatory: true, equal: ['WALLET'], qualifiers: ['VALUE_EQUAL'] },
      { mandatory: true, equal: ['IP'] },
    ]);
  });
});

const observation = (client: TestClient, fields: Partial<CustomerObservation>): CustomerObservation => ({
  organisationId: client.organisationId,
  clientAppId: client.id,
  externalCustomerId: null,
  taxId: null,
  name: null,
  birthDate: null,
  by: 'KYT',
  requestId: null,
  correlationId: 'c-1',
  traceparent: null,
  ...fields,
});

const cpf = (text: string): TaxId => {
  const parsed = TaxId.parse(text);
  if (!parsed.ok) throw new Error('not a CPF');
  return parsed.id;
};

describe('A customer', () => {
  it('is identified once, by id or by document, and announced once', async () => {
    const client = await t.client();
    const customers = t.app.get(CustomerIdentificationService);
    const seen = [
      observation(client, { externalCustomerId: 'c-77', name: 'Maria Exemplo' }),
      observation(client, { externalCustomerId: 'c-77', taxId: cpf('529.982.247-25') }),
      observation(client, { taxId: cpf('52998224725') }),
      observation(client, { taxId: cpf('***.982.247-**') }),
    ];
    const ids: (string | undefined)[] = [];
    for (const one of seen) ids.push((await customers.identify([one]))[0]?.customerId);
    expect(ids[0]).toBeDefined();
    expect(ids).toEqual([ids[0], ids[0], ids[0], undefined]);
    const { rows: events } = await t.owner.query(`SELECT type FROM events WHERE resource_id = $1`, [ids[0]]);
    expect(events).toEqual([{ type: 'customer.identified' }]);
    const { rows } = await t.owner.query(
      `SELECT row_to_json(c)::text AS row FROM customers c WHERE id = $1`,
      [ids[0]],
    );
    expect(rows[0].row).not.toMatch(/Maria|52998224725|\bc-77\b/);
    const trail = await t.app
      .get(AuditTrail)
      .trailStatus({ organisationId: client.organisationId, type: 'customer', id: ids[0]! });
    expect(trail).toMatchObject({ status: 'COMPLETE', length: 2 });
  });

  it('seen by many at once is one', async () => {
    const client = await t.client();
    const customers = t.app.get(CustomerIdentificationService);
    const found = await Promise.all(
      Array.from({ length: 8 }, () =>
        customers.identify([
          observation(client, { externalCustomerId: 'same' }),
          observation(client, { externalCustomerId: 'same' }),
        ]),
      ),
    );
    expect(new Set(found.flat().map((one) => one?.customerId)).size).toBe(1);
    const { rows } = await t.owner.query(
      `SELECT count(*)::int AS n FROM customers WHERE organisation_id = $1`,
      [client.organisationId],
    );
    expect(rows[0].n).toBe(1);
  });
});

describe('A hit', () => {
  let operator: TestOperator;
  let api: TestApi;
  const name = 'Anacleto Procurado Ficticio';
  const justification = 'Outra data de nascimento no documento apresentado.';

  beforeAll(async () => {
    operator = await t.operator({ roles: ['COMPLIANCE_OFFICER'] });
    api = t.api.asOperator(operator);
    await imported(
      operator.organisationId,
      { key: 'wanted' },
      fileOf([...people(12), { key: 'w', name, birthDate: '1970' }]),
    );
  });

  const find = async (): Promise<{ hitId: string; status: string }[]> => {
    const who = party(operator.organisationId, 'Procurado Ficticio, Anacleto');
    const { matches } = await screen(operator.organisationId, [who]);
    return t.app.get(HitDispositionService).recordMatches(operator.organisationId, matches.flat(), 'test');
  };

  it('is stored once for a person and an entry, with list, entry, scorer and explanation', async () => {
    const [first] = await find();
    const [again] = await find();
    expect(again!.hitId).toBe(first!.hitId);
    const { body } = await api.get(`/operator/hits/${publicId('hit', first!.hitId)}`).expect(200);
    expect(body.data).toMatchObject({
      status: 'PENDING',
      list: 'wanted',
      listKind: 'SANCTIONS',
      entryKey: 'w',
      scorerVersion: '5',
      mandatory: true,
      strength: 'NAME',
      asked: 'Procurado Ficticio, Anacleto',
      role: 'CUSTOMER',
    });
    expect(body.data.entryHash).toMatch(/^[0-9a-f]{32}$/);
    expect(body.data.alignment).toHaveLength(3);
    const { rows } = await t.owner.query(
      `SELECT row_to_json(h)::text AS row FROM screening_hits h WHERE id = $1`,
      [first!.hitId],
    );
    expect(rows[0].row).not.toMatch(/Anacleto|anacleto/);
  });

  it('that was dismissed stays so while the entry is the same, and waits again when it changes', async () => {
    const [hit] = await find();
    const id = publicId('hit', hit!.hitId);
    const decide = (disposition: string): ReturnType<TestApi['post']> =>
      api.post(`/operator/hits/${id}/disposition`).send({ disposition, justification });
    await decide('ESCALATED').expect(200);
    expectError(await decide('ESCALATED'), 409, 'STATE_CONFLICT');
    const dismissal = { disposition: 'DISMISSED_FALSE_POSITIVE', justification };
    expectError(await decide('DISMISSED_FALSE_POSITIVE'), 403, 'FOUR_EYES_REQUIRED');
    const { organisationId } = operator;
    const checker = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId });
    const proposed = await api.post(`/operator/hits/${id}/proposals`).send(dismissal).expect(202);
    await approve(t.api.asOperator(checker), proposed);
    const { body } = await api.get(`/operator/hits/${id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'DISMISSED_FALSE_POSITIVE', justification });
    // A snapshot that changes something else.
    await imported(
      operator.organisationId,
      { key: 'wanted' },
      fileOf([...people(13), { key: 'w', name, birthDate: '1970' }]),
    );
    expect(await find()).toMatchObject([{ hitId: hit!.hitId, status: 'DISMISSED_FALSE_POSITIVE' }]);
    // One that changes the entry.
    await imported(
      operator.organisationId,
      { key: 'wanted' },
      fileOf([...people(13), { key: 'w', name, birthDate: '1971' }]),
    );
    expect(await find()).toMatchObject([{ hitId: hit!.hitId, status: 'PENDING' }]);
    const { body: reopened } = await api.get(`/operator/hits/${id}`).expect(200);
    expect(reopened.data).toMatchObject({
      status: 'PENDING',
      reopened: 1,
      justification: null,
      decidedBy: null,
    });
    const trail = await t.app
      .get(AuditTrail)
      .trailStatus({ organisationId: operator.organisationId, type: 'screening_hit', id: hit!.hitId });
    expect(trail).toMatchObject({ status: 'COMPLETE', length: 4 });
  });

  it('is for nobody of another organisation', async () => {
    const [hit] = await find();
    const stranger = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'] }));
    const id = publicId('hit', hit!.hitId);
    expectError(await stranger.get(`/operator/hits/${id}`), 404, 'HIT_NOT_FOUND');
    expectError(
      await stranger
        .post(`/operator/hits/${id}/disposition`)
        .send({ disposition: 'CONFIRMED', justification }),
      404,
      'HIT_NOT_FOUND',
    );
    expect((await stranger.get('/operator/hits').expect(200)).body.data).toEqual([]);
  });

  it('is decided by those who may, with a reason of some length', async () => {
    const [hit] = await find();
    const path = `/operator/hits/${publicId('hit', hit!.hitId)}/disposition`;
    const auditor = t.api.asOperator(
      await t.operator({ roles: ['AUDITOR'], organisationId: operator.organisationId }),
    );
    expectError(
      await auditor.post(path).send({ disposition: 'CONFIRMED', justification }),
      403,
      'PERMISSION_DENIED',
    );
    expectError(
      await api.post(path).send({ disposition: 'CONFIRMED', justification: 'não é' }),
      400,
      'VALIDATION_FAILED',
    );
    expectError(
      await api.post(path).send({ disposition: 'PENDING', justification }),
      400,
      'VALIDATION_FAILED',
    );
  });
});

describe('A new snapshot', () => {
  it('screens the known customers in the background, against what it brought, and says how far it is', async () => {
    const client = await t.client();
    const { organisationId } = client;
    const customers = t.app.get(CustomerIdentificationService);
    const names = Array.from({ length: 230 }, (_, i) => madeUp(10_000 + i));
    names[117] = 'Zenobia Recem Sancionada';
    await customers.identify(
      names.map((own, i) => observation(client, { externalCustomerId: `c${i}`, name: own })),
    );
    await imported(organisationId, { key: 'un' }, fileOf(people(12)));
    const snapshot = await imported(
      organisationId,
      { key: 'un' },
      fileOf([...people(12), { key: 'new', name: 'Zenobia Recem Sancionada' }]),
    );
    const operator = t.api.asOperator(await t.operator({ roles: ['ANALYST'], organisationId }));
    const path = `/operator/lists/${publicId('lst', snapshot.listId)}/imports/${publicId('imp', snapshot.id)}`;
    const round = await eventually('the round is finished', async () => {
      const { body } = await operator.get(path).expect(200);
      const { round: now } = body.data as { round: { status: string } | null };
      return now?.status === 'FINISHED' ? now : null;
    });
    expect(round).toEqual({ status: 'FINISHED', total: 230, done: 230, hits: 1 });
    expect(t.log.join('')).toContain('a round over all customers is finished: 230 looked at');
    const { body } = await operator.get('/operator/hits?mandatory=true').expect(200);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      entryKey: 'new',
      asked: 'Zenobia Recem Sancionada',
      role: 'CUSTOMER',
    });
    const page = await t.app.get(CustomersService).page(organisationId, null, 500);
    const found = page.customers.find(({ profile }) => profile.name === names[117]);
    expect(uuidOf('cus', body.data[0].customerId)).toBe(found!.id);
    expect(partyOfCustomer(found!)).toMatchObject({ name: names[117], customerId: found!.id });
  });
});

describe('The operator API', () => {
  let api: TestApi;
  let operator: TestOperator;

  beforeAll(async () => {
    operator = await t.operator({ roles: ['COMPLIANCE_OFFICER'] });
    api = t.api.asOperator(operator);
  });

  const create = (key: string, fields: object = {}): ReturnType<TestApi['post']> =>
    api.post('/operator/lists').send({ key, name: key, kind: 'WATCH', format: 'HOUSE_CSV', ...fields });

  const upload = (
    id: string,
    file: string,
    fields: Record<string, string> = {},
  ): ReturnType<TestApi['post']> => {
    const call = api.post(`/operator/lists/${id}/imports`).attach('file', Buffer.from(file), 'list.csv');
    for (const [name, value] of Object.entries(fields)) void call.field(name, value);
    return call;
  };

  const settled = async (id: string, importId: string): Promise<Record<string, unknown>> =>
    eventually('the import is read', async () => {
      const { body } = await api.get(`/operator/lists/${id}/imports/${importId}`).expect(200);
      return body.data.status === 'READING' ? null : (body.data as Record<string, unknown>);
    });

  it('makes a list, takes a file with progress, difference and confirmation, and shows the entries', async () => {
    const { body: created } = await create('watched').expect(201);
    const id = created.data.id as string;
    expect(created.data).toMatchObject({ sequence: 0, entries: 0, staleAfterDays: null, indexed: false });
    const { body: first } = await upload(
      id,
      fileOf([...people(9), { key: 'z', name: 'Zacarias Vigiado' }]),
    ).expect(202);
    expect(await settled(id, first.data.id)).toMatchObject({
      status: 'PUBLISHED',
      entries: 10,
      bytesRead: first.data.bytesTotal,
    });
    const { body: second } = await upload(
      id,
      fileOf([...people(9), { key: 'z', name: 'Zacarias Alterado' }, { key: 'y', name: 'Ypsilon Novo' }]),
      { confirmation: 'ALWAYS' },
    ).expect(202);
    expect(await settled(id, second.data.id)).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      reason: 'LIST_LOSES',
      added: 1,
      changed: 1,
      removed: 0,
      preview: [
        { key: 'z', change: 'CHANGED' },
        { key: 'y', change: 'ADDED' },
      ],
    });
    const asked = await api
      .post(`/operator/lists/${id}/imports/${second.data.id}/confirm`)
      .send({ reason: 'compared by hand' })
      .expect(202);
    const checker = await t.operator({
      roles: ['COMPLIANCE_OFFICER'],
      organisationId: operator.organisationId,
    });
    await approve(t.api.asOperator(checker), asked);
    expect(await settled(id, second.data.id)).toMatchObject({
      status: 'PUBLISHED',
      sequence: 2,
      decidedBy: publicId('opr', checker.id),
    });
    expectError(
      await api.post(`/operator/lists/${id}/imports/${second.data.id}/reject`).send({}),
      409,
      'STATE_CONFLICT',
    );
    const { body: entries } = await api.get(`/operator/lists/${id}/entries?limit=2`).expect(200);
    expect(entries.data).toMatchObject([
      { key: 'p0', since: 1 },
      { key: 'p1', since: 1 },
    ]);
    const rest = await api
      .get(`/operator/lists/${id}/entries?limit=200&cursor=${entries.page.nextCursor}`)
      .expect(200);
    expect((rest.body.data as object[]).at(-1)).toMatchObject({
      key: 'z',
      names: ['Zacarias Alterado'],
      since: 2,
    });
    const { body: imports } = await api.get(`/operator/lists/${id}/imports`).expect(200);
    expect((imports.data as { status: string }[]).map(({ status }) => status)).toEqual([
      'PUBLISHED',
      'PUBLISHED',
    ]);
    const trail = await t.app.get(AuditTrail).trailStatus({
      organisationId: operator.organisationId,
      type: 'screening_list',
      id: uuidOf('lst', id)!,
    });
    // Made, and twice a file that came and was published, once after it was read and waited.
    expect(trail).toMatchObject({ status: 'COMPLETE', length: 6 });
  });

  it('looks names up with scores and their explanation, and keeps nothing', async () => {
    await create('sought', { kind: 'SANCTIONS' }).expect(201);
    const { body: listed } = await api.get('/operator/lists').expect(200);
    const id = (listed.data as { key: string; id: string }[]).find(({ key }) => key === 'sought')!.id;
    const { body } = await upload(
      id,
      fileOf([{ key: 's', name: 'Raphael Baptista de Souza', aliases: 'Rafa', birthDate: '1980-02-03' }]),
    ).expect(202);
    // From the first import on, somebody who stands on no list of sanctions is cleared.
    expect(await settled(id, body.data.id)).toMatchObject({
      status: 'AWAITING_CONFIRMATION',
      reason: 'LIST_BEGINS',
    });
    const path = `/operator/lists/${id}/imports/${body.data.id}/confirm`;
    const asked = await api.post(path).send({ reason: 'compared by hand' }).expect(202);
    await approve(
      t.api.asOperator(
        await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: operator.organisationId }),
      ),
      asked,
    );
    await keeper.refresh();
    const { body: found } = await api
      .post('/operator/screening/search')
      .send({ name: 'Rafael Batista Sousa', kind: 'PERSON', birthDate: '1980-02-03' })
      .expect(200);
    expect(found.data).toHaveLength(1);
    expect(found.data[0]).toMatchObject({
      list: 'sought',
      strength: 'STRONG',
      mandatory: true,
      qualifiers: ['BIRTH_DATE_EQUAL', 'NAME_COMMON'],
      entry: { key: 's', names: ['Raphael Baptista de Souza', 'Rafa'], birthDates: ['1980-02-03'] },
    });
    expect(found.data[0].alignment).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ left: 'rafael', right: 'raphael', how: 'SPELLING' }),
      ]),
    );
    expect((await api.get('/operator/hits').expect(200)).body.data).toEqual([]);
  });

  it('refuses what it cannot use, by name', async () => {
    expectError(await create('Bad Key'), 400, 'VALIDATION_FAILED');
    await create('twice').expect(201);
    expectError(await create('twice'), 409, 'STATE_CONFLICT');
    expectError(
      await create('crossed', { evidenceThreshold: 0.95, mandatoryThreshold: 0.8 }),
      400,
      'VALIDATION_FAILED',
    );
    const { body } = await create('files').expect(201);
    const path = `/operator/lists/${body.data.id}/imports`;
    expectError(await api.post(path).send({ file: 'x' }), 415, 'MEDIA_TYPE_UNSUPPORTED');
    expectError(await api.post(path).field('confirmation', 'ALWAYS'), 400, 'VALIDATION_FAILED');
    expectError(await upload(body.data.id, 'x', { confirmation: 'MAYBE' }), 400, 'VALIDATION_FAILED');
    const nameless = await api.post(path).field('', 'x');
    expect(detailsOf(expectError(nameless, 400, 'VALIDATION_FAILED'))).toEqual(['UNKNOWN_FIELD']);
    expectError(await api.get('/operator/lists/lst_nonsense'), 404, 'LIST_NOT_FOUND');
    expectError(
      await api.get(`${path}/${publicId('imp', uuidOf('lst', body.data.id)!)}`),
      404,
      'IMPORT_NOT_FOUND',
    );
    const analyst = t.api.asOperator(
      await t.operator({ roles: ['ANALYST'], organisationId: operator.organisationId }),
    );
    expectError(
      await analyst
        .post('/operator/lists')
        .send({ key: 'x1', name: 'x', kind: 'WATCH', format: 'HOUSE_CSV' }),
      403,
      'PERMISSION_DENIED',
    );
  });

  later('says 503 when the index is stopped', async () => {
    await keeper.stop();
    expectError(
      await api.post('/operator/screening/search').send({ name: 'Alguem Qualquer' }),
      503,
      'NOT_READY',
    );
    keeper.start();
    await eventually('the index is ready', () => keeper.readState() === 'READY');
  });
});
