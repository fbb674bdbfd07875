import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiptText } from '../../src/features/kyt/domain/stored/stored-packing.js';
import { systemActor } from '../../src/features/audit/index.js';
import { dossierLabels } from '../../src/features/dossiers/data/dossier-labels.js';
import { CashReportsService } from '../../src/features/dossiers/index.js';
import { DossierPicturesService } from '../../src/features/dossiers/files/dossier-pictures.service.js';
import { PrintFormatter } from '../../src/features/dossiers/files/rendered-text.js';
import type { OperatorPrincipal } from '../../src/platform/http/index.js';
import { ExchangeRatesService } from '../../src/features/fx/index.js';
import { publicId, uuidOf } from '../../src/platform/kernel/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import type { Test } from 'supertest';
import {
  SearchIndexService,
  ListImporterService,
  ScreeningListsService,
} from '../../src/features/screening/index.js';
import type { TestApi, TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { anArtifact } from '../support/artifacts.js';
import { approve, askedIn } from '../support/approvals.js';
import { aTransaction, CPF } from '../support/builders.js';
import { manyTransactions } from '../support/many-transactions.js';
import { eventually } from '../support/eventually.js';
import { aPicture } from '../support/files.js';
import { aReportingInstitution } from '../support/institution.js';
import { promisedLater } from '../support/needs.js';
import { partsOf, readPdf, structureOf, textOf } from '../support/pdf.js';
import { bindAnew } from '../support/tamper.js';
import { expectWithin } from '../support/timing.js';

let t: TestApp;
let client: TestClient;
let integrator: TestApi;
let officer: TestApi;
let second: TestApi;

interface Communication {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly segment: number;
  readonly amountBrl: string | null;
  readonly dueAt: string;
  readonly customerId: string | null;
  readonly codes: number[];
  readonly problems: { field: string; code: string }[];
  readonly filing: { filingNumber: string; contentHash: string; confirmedBy: string | null } | null;
}

interface DossierView {
  readonly head: {
    readonly id: string;
    readonly trail: { readonly status: string; readonly subjects: number };
  };
  readonly customer: object;
  readonly cases: { readonly id: string; readonly transactions: number }[];
  readonly hits: object[];
  readonly transactionCount: number;
  readonly transactions: {
    readonly id: string;
    readonly occurredAt: string;
    readonly evaluations: readonly object[];
  }[];
}

beforeAll(async () => {
  t = await startTestApp();
  client = await t.client({ rules: false });
  await t.app.get(RulesetsService).publish(client.organisationId, brStarter, 'test');
  integrator = t.api.as(client);
  const { organisationId } = client;
  const roles = ['COMPLIANCE_OFFICER'] as const;
  officer = t.api.asOperator(await t.operator({ roles, organisationId }));
  second = t.api.asOperator(await t.operator({ roles, organisationId }));
});

afterAll(async () => {
  await t.close();
});

const data = ({ body }: { body: unknown }): unknown => (body as { data: unknown }).data;

async function evaluated(fields: Record<string, unknown>): Promise<string> {
  const body = aTransaction(fields);
  await integrator.ingest(body).expect(202);
  await integrator.settled(body.transactionId);
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM kyt_transactions WHERE transaction_id = $1',
    [body.transactionId],
  );
  return rows[0]!.id;
}

const communicationsAbout = async (ref: string): Promise<string[]> => {
  const { rows } = await t.owner.query<{ id: string }>(
    'SELECT id FROM coaf_communications WHERE transaction_ref = $1',
    [ref],
  );
  return rows.map(({ id }) => publicId('com', id));
};

const reported = (ref: string): Promise<string> =>
  eventually('a report of cash', async () => {
    const [id] = await communicationsAbout(ref);
    return id ?? false;
  });

/** A customer under suspicion, with as many transactions, the first one sent to review by a hit on a list. */
async function aCustomer(
  fields: Record<string, unknown>,
  count: number,
): Promise<{ customerId: string; refs: string[] }> {
  const refs: string[] = [];
  for (let i = 0; i < count; i += 1) refs.push(await evaluated({ amount: 100 + i, ...fields }));
  const { rows } = await t.owner.query<{ id: string }>(
    `SELECT c.id FROM customers c JOIN kyt_transactions x ON x.organisation_id = c.organisation_id
       AND (c.external_index = x.customer_key OR c.document_index = x.document_key) WHERE x.id = $1`,
    [refs[0]],
  );
  return { customerId: publicId('cus', rows[0]!.id), refs };
}

const bytesOf = async (call: Test): Promise<Buffer> => {
  const { body } = await call.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => {
      done(null, Buffer.concat(chunks));
    });
  });
  return body as Buffer;
};

// The customer of the dossiers, under suspicion.
let suspect: string;

describe('Dossiers', () => {
  const document = '12345678909';
  const external = 'dossier-customer';
  const who = {
    externalCustomerId: external,
    cpfCnpj: document,
    origin: {
      name: 'Anacleto Sancionado Fictício',
      cpfCnpj: document,
      accountReference: '77-1',
      country: 'BR',
    },
  };
  let customerId: string;
  let refs: string[];

  beforeAll(async () => {
    const ctx = systemActor(client.organisationId, 'test');
    const list = await t.app
      .get(ScreeningListsService)
      .findOrCreate(ctx, { key: 'sanctions', name: 'Sanctions', kind: 'SANCTIONS', format: 'HOUSE_CSV' });
    const importer = t.app.get(ListImporterService);
    const { id } = await importer.startImport(ctx, list, null);
    const file = 'key;name;kind;birthDate;type;value\ns1;Anacleto Sancionado Ficticio;PERSON;;;\n';
    const main = Readable.from([Buffer.from(file)]);
    await importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
    await t.app.get(SearchIndexService).refresh();
    ({ customerId, refs } = await aCustomer(who, 4));
    suspect = customerId;
  });

  const path = (name: string): string => `/operator/customers/${customerId}/${name}`;

  it('of a customer: transactions with reasons, hits, cases and the verdict on every trail', async () => {
    const dossier = data(await officer.get(path('dossier?auditReady=true')).expect(200)) as DossierView;
    expect(dossier.head).toMatchObject({ about: 'CUSTOMER', subjectId: customerId, auditReady: true });
    expect(dossier.head.trail).toMatchObject({ status: 'COMPLETE', incomplete: [] });
    expect(dossier.customer).toMatchObject({
      name: 'Anacleto Sancionado Fictício',
      documentMasked: '***.456.789-**',
      externalCustomerId: external,
    });
    expect(dossier.transactionCount).toBe(4);
    expect(dossier.transactions.map(({ id }) => id)).toEqual(refs.map((ref) => publicId('txn', ref)));
    const sanctions = ['sanctions: 0.8, 0.85'];
    expect(dossier.transactions[0]!.evaluations[0]).toMatchObject({
      ...{ version: 1, outcome: 'REVIEW' },
      terms: { silenced: [], dismissedHits: [], listsOff: [], listsStale: [], thresholds: sanctions },
    });
    expect(dossier.hits).toMatchObject([{ list: 'sanctions', status: 'PENDING', mandatory: true }]);
    expect(dossier.cases.length).toBeGreaterThan(0);
    expect(dossier.cases[0]).toMatchObject({
      kind: 'HIT',
      status: 'OPEN',
      steps: [{ action: 'review.opened' }],
    });
    // Judged: customer, cases, hit and its list, transactions.
    expect(dossier.head.trail.subjects).toBe(1 + dossier.cases.length + 2 + 4);
    expect(JSON.stringify(dossier)).not.toContain(document);
    const entry = await t.owner.query(
      `SELECT FROM audit_entries WHERE subject_type = 'dossier' AND subject_id = $1 AND action = 'dossier.exported'`,
      [uuidOf('dsr', dossier.head.id)],
    );
    expect(entry.rowCount).toBe(1);
  });

  it('of a case holds what the case is about', async () => {
    const whole = data(await officer.get(path('dossier')).expect(200)) as DossierView;
    const [first] = whole.cases;
    const dossier = data(
      await officer.get(`/operator/reviews/${first!.id}/dossier`).expect(200),
    ) as DossierView;
    expect(dossier).toMatchObject({
      head: { about: 'REVIEW', subjectId: first!.id },
      customer: { id: customerId },
    });
    expect(dossier.cases).toEqual([first]);
    expect(dossier.transactions.length).toBe(first!.transactions);
    const pdf = textOf(await bytesOf(officer.get(`/operator/reviews/${first!.id}/dossier.pdf?lang=en`)));
    expect(pdf).toContain('Case dossier');
  });

  it.each([
    ['pt-BR', 'Dossiê do cliente', 'Trilha de auditoria: completa e inalterada', 'Página 1 de ', '100,00'],
    ['en', 'Customer dossier', 'Audit trail: complete and unchanged', 'Page 1 of ', '100.00'],
  ])('prints in %s: title, trail, pages and amounts', async (lang, title, trail, page, amount) => {
    const pdf = await bytesOf(officer.get(path(`dossier.pdf?lang=${lang}`)).expect(200));
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const text = textOf(pdf);
    for (const part of [
      title,
      trail,
      page,
      amount,
      '***.456.789-**',
      'Anacleto Sancionado Fictício',
      'BR-',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(document);
  });

  it.each(['pt-BR', 'en'] as const)(
    'every page printed in %s says which it is of how many, when it was made, and what the trail says',
    async (lang) => {
      const words = dossierLabels[lang];
      const before = Date.now();
      const { pages, total } = readPdf(
        await bytesOf(officer.get(path(`dossier.pdf?lang=${lang}`)).expect(200)),
      );
      const after = Date.now();
      const show = new PrintFormatter(words, lang);
      const seconds = Array.from(
        { length: Math.ceil((after - before) / 1_000) + 1 },
        (_, i) => before + i * 1_000,
      );
      const times = seconds.map((at) => show.time(new Date(Math.min(at, after)).toISOString()));
      expect(pages.length).toBeGreaterThan(1);
      expect(total).toBe(pages.length);
      const feet = pages.map(([foot = '', number = '']) => ({ foot, number }));
      feet.forEach(({ foot, number }, i) => {
        expect(number).toBe(`${words.page} ${i + 1} ${words.of} `);
        expect(foot).toMatch(/^dsr_[0-9a-f]{32} \| /);
        expect(times.some((time) => foot.includes(`${words.generatedAt} ${time}`))).toBe(true);
        expect(foot).toContain(`${words.trail}: ${words.COMPLETE}`);
        expect(foot).toBe(feet[0]!.foot);
      });
      // And the front page says it again, in full.
      for (const line of [words.generatedAt, words.trail, words.COMPLETE]) expect(pages[0]).toContain(line);
      expect(pages.at(-1)).toContain(words.end);
    },
  );

  it('what the person gets says nothing of the suspicion, in no form', async () => {
    const analyst = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
    await t.api.asOperator(analyst).get(path('subject-export')).expect(403);
    const json = await officer.get(path('subject-export')).expect(200);
    const subject = data(json) as { person: object; transactions: { transactionId: string }[] };
    expect(subject.person).toMatchObject({ document: '123.456.789-09', externalCustomerId: external });
    expect(subject.transactions).toHaveLength(4);
    expect(json.text).toContain('João Exemplo');
    const pdf = textOf(await bytesOf(officer.get(path('subject-export.pdf')).expect(200)));
    expect(pdf).toContain('123.456.789-09');
    const dossierPdf = textOf(await bytesOf(officer.get(path('dossier.pdf'))));
    const suspicion =
      /review|rev_|hit_|sanction(?!ado)|risk|risco|score|pontua|reason|BR-[A-Z]|HIGH|CRITICAL|outcome|REJECTED|APPROVED|defensi|coaf|suspei|suspic|caso|apontament|alert|evaluat|avalia|receipt|rule/i;
    const dossier = (await officer.get(path('dossier'))).text;
    for (const text of [dossier, dossierPdf]) expect(text).toMatch(suspicion);
    // That the pattern would find it is shown by the dossier; the names of the fields are the same.
    for (const text of [json.text, pdf]) expect(suspicion.exec(text)).toBeNull();
    // Documents of other people stay masked.
    for (const text of [json.text, pdf]) expect(text).not.toContain('111.444.777-35');
  });

  it('an export that promises whole trails is refused when one is broken; the other one says so', async () => {
    const {
      customerId: other,
      refs: [ref],
    } = await aCustomer(
      {
        externalCustomerId: 'broken-trail',
        cpfCnpj: '98765432100',
        origin: { name: 'Beltrano Exemplo', cpfCnpj: '98765432100', country: 'BR' },
      },
      2,
    );
    await officer.get(`/operator/customers/${other}/dossier?auditReady=true`).expect(200);
    await t.owner.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only');
    await t.owner.query(
      `DELETE FROM audit_entries WHERE subject_type = 'transaction' AND subject_id = $1 AND action = 'transaction.evaluated'`,
      [ref],
    );
    await t.owner.query('ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER audit_entries_append_only');
    for (const name of ['dossier', 'dossier.pdf']) {
      const refused = await officer.get(`/operator/customers/${other}/${name}?auditReady=true`).expect(409);
      expect(refused.body).toMatchObject({
        error: {
          code: 'AUDIT_TRAIL_INCOMPLETE',
          details: [{ path: publicId('txn', ref!), code: 'MISSING_EVENTS' }],
        },
      });
    }
    const shown = data(await officer.get(`/operator/customers/${other}/dossier`).expect(200)) as DossierView;
    expect(shown.head.trail).toMatchObject({
      status: 'MISSING_EVENTS',
      incomplete: [{ subject: publicId('txn', ref!) }],
    });
    const pdf = textOf(await bytesOf(officer.get(`/operator/customers/${other}/dossier.pdf`)));
    expect(pdf).toContain('Trilha de auditoria: incompleta');
  });

  promisedLater('many transactions stream in pages, in the order in which they took place', async () => {
    const { customerId: busy } = await aCustomer({ externalCustomerId: 'busy', cpfCnpj: null, amount: 1 }, 1);
    await manyTransactions(t, integrator, 'busy', 400);
    const dossier = data(await officer.get(`/operator/customers/${busy}/dossier`).expect(200)) as DossierView;
    expect(dossier.transactionCount).toBe(401);
    const times = dossier.transactions.map(({ occurredAt }) => occurredAt);
    expect(times).toHaveLength(401);
    expect(times).toEqual([...times].sort());
    expect(new Set(dossier.transactions.map(({ id }) => id)).size).toBe(401);
    const begun = performance.now();
    const pdf = await bytesOf(officer.get(`/operator/customers/${busy}/dossier.pdf`));
    expectWithin(6_000, begun);
    const { pages, total } = readPdf(pdf);
    expect(pages.length).toBeGreaterThan(12);
    expect(total).toBe(pages.length);
    expect(pages.map(([, number]) => number)).toEqual(pages.map((_, i) => `Página ${i + 1} de `));
    // No transaction is torn: its ids and its evaluation are on one page.
    const evaluation = `${dossierLabels['pt-BR'].evaluation} 1, `;
    for (const lines of pages) {
      expect(lines.filter((line) => line.startsWith(evaluation))).toHaveLength(
        lines.filter((line) => line.includes(' | txn_')).length,
      );
    }
  });
});

describe('Figures', () => {
  const HOUR_MS = 3_600_000;
  interface Figures {
    readonly alertsPerDay: { day: string; kind: string; opened: number }[];
    readonly ageing: { days: string; cases: number }[];
    readonly timeToDecision: { cases: number; meanHours: number; medianHours: number; p90Hours: number };
    readonly rules: Record<string, unknown>[];
    readonly lists: Record<string, unknown>[];
    readonly overdue: { cases: number; communications: number };
  }

  /** Four cases closed by two persons, opened so many hours before; one that is overdue. */
  async function decided(): Promise<void> {
    // The alerts of one customer are one case; a person opens others about them.
    const reason = 'Somebody rang and asked us to look at this customer again.';
    const asked = await t.owner.query<{ id: string }>(
      'SELECT transaction_ref AS id FROM review_transactions WHERE organisation_id = $1 ORDER BY 1 LIMIT 3',
      [client.organisationId],
    );
    for (const { id } of asked.rows) {
      const about = { customerId: suspect, transaction: publicId('txn', id), reason };
      await officer.post('/operator/reviews').send(about).expect(201);
    }
    const { rows } = await t.owner.query<{ id: string }>(
      `SELECT r.id FROM reviews r JOIN customers c ON c.id = r.customer_id
       WHERE r.organisation_id = $1 AND r.status = 'OPEN' AND r.customer_id = $2 ORDER BY r.id`,
      [client.organisationId, uuidOf('cus', suspect)],
    );
    expect(rows.length).toBe(4);
    const justification = 'What was found in the analysis, in more than twenty characters.';
    const fates = [
      ['REJECTED', 'COMMUNICATE', 1],
      ['FALSE_POSITIVE', 'ARCHIVE', 5],
      ['APPROVED', 'ARCHIVE', 20],
      ['FALSE_POSITIVE', 'ARCHIVE', 100],
    ] as const;
    for (const [i, [resolution, report, hours]] of fates.entries()) {
      const path = `/operator/reviews/${publicId('rev', rows[i]!.id)}`;
      if (i === 1) {
        const hits = await officer.get(`/operator/hits?customerId=${suspect}`).expect(200);
        const [hit] = (hits.body as { data: { id: string }[] }).data;
        const disposition = { disposition: 'DISMISSED_FALSE_POSITIVE', justification };
        const proposed = await officer
          .post(`/operator/hits/${hit!.id}/proposals`)
          .send(disposition)
          .expect(202);
        await approve(second, proposed);
      }
      // The other payments of the customer are what the other cases are about.
      const decision = { resolution, report, justification, withoutRelated: justification };
      await approve(second, await officer.post(`${path}/decision`).send(decision).expect(202));
      await t.owner.query(
        'UPDATE reviews SET opened_at = closed_at - make_interval(hours => $2) WHERE id = $1',
        [rows[i]!.id, hours],
      );
      await bindAnew(t, 'review', rows[i]!.id);
    }
    const manual = data(
      await officer.post('/operator/reviews').send({ customerId: suspect, reason }).expect(201),
    ) as { id: string };
    await t.owner.query(
      `UPDATE reviews SET due_at = now() - interval '1 hour', opened_at = now() - interval '40 days' WHERE id = $1`,
      [uuidOf('rev', manual.id)],
    );
    await bindAnew(t, 'review', uuidOf('rev', manual.id) ?? '');
  }

  it('equal a recount from the tables, as JSON and as CSV', async () => {
    await decided();
    const answer = await officer.get('/operator/figures/compliance').expect(200);
    const figures = data(answer) as Figures;
    const all = async <T>(text: string): Promise<T[]> =>
      (await t.owner.query(text, [client.organisationId])).rows as T[];
    interface Case {
      readonly id: string;
      readonly kind: string;
      readonly status: string;
      readonly resolution: string | null;
      readonly report: string | null;
      readonly opened_at: Date;
      readonly closed_at: Date | null;
      readonly due_at: Date;
    }
    const cases = await all<Case>('SELECT * FROM reviews WHERE organisation_id = $1');
    const now = Date.now();
    const localDay = (at: Date): string => new Date(at.getTime() - 3 * HOUR_MS).toISOString().slice(0, 10);
    const first = localDay(new Date(now - 29 * 24 * HOUR_MS));

    const opened = new Map<string, number>();
    for (const { kind, opened_at: at } of cases) {
      if (localDay(at) < first) continue;
      const key = `${localDay(at)} ${kind}`;
      opened.set(key, (opened.get(key) ?? 0) + 1);
    }
    expect(
      Object.fromEntries(figures.alertsPerDay.map((one) => [`${one.day} ${one.kind}`, one.opened])),
    ).toEqual(Object.fromEntries(opened));

    const open = cases.filter(({ status }) => status !== 'CLOSED');
    const ageOf = ({ opened_at: at }: Case): number => Math.floor((now - at.getTime()) / (24 * HOUR_MS));
    const between = (from: number, to: number): number =>
      open.filter((one) => ageOf(one) >= from && ageOf(one) <= to).length;
    expect(figures.ageing).toEqual([
      { days: '0-7', cases: between(0, 7) },
      { days: '8-30', cases: between(8, 30) },
      { days: '31-45', cases: between(31, 45) },
      { days: '46+', cases: between(46, Infinity) },
    ]);
    expect(between(31, 45)).toBe(1);

    const closed = cases.filter(({ status }) => status === 'CLOSED');
    // 1, 5, 20 and 100 hours: the median lies between the second and the third.
    expect(closed).toHaveLength(4);
    expect(figures.timeToDecision).toEqual({ cases: 4, meanHours: 31.5, medianHours: 12.5, p90Hours: 76 });

    const linked = await all<{ review_id: string; receipt: Buffer }>(
      `SELECT l.review_id, e.receipt FROM review_transactions l JOIN kyt_evaluations e
         ON e.transaction_ref = l.transaction_ref AND e.evaluation_version = l.evaluation_version
       WHERE l.organisation_id = $1`,
    );
    const byRule = new Map<string, Set<string>>();
    for (const { review_id: id, receipt } of linked) {
      for (const { ruleId } of (JSON.parse(receiptText(receipt)) as { reasons: { ruleId: string }[] })
        .reasons) {
        if (closed.some((one) => one.id === id)) {
          byRule.set(ruleId, (byRule.get(ruleId) ?? new Set()).add(id));
        }
      }
    }
    expect(byRule.size).toBeGreaterThan(0);
    const share = (part: number, whole: number): number | null =>
      whole === 0 ? null : Number((part / whole).toFixed(4));
    const expectedRules = [...byRule].map(([ruleId, ids]) => {
      const own = closed.filter(({ id }) => ids.has(id));
      const isTrue = own.filter(
        (one) => one.resolution === 'REJECTED' || one.report === 'COMMUNICATE',
      ).length;
      const isFalse = own.filter((one) => one.resolution === 'FALSE_POSITIVE').length;
      return {
        ruleId,
        cases: own.length,
        truePositives: isTrue,
        falsePositives: isFalse,
        others: own.length - isTrue - isFalse,
        truePositiveRate: share(isTrue, own.length),
        falsePositiveRate: share(isFalse, own.length),
      };
    });
    expect(new Set(figures.rules)).toEqual(new Set(expectedRules));

    const hits = await all<{ status: string; key: string }>(
      'SELECT h.status, l.key FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id WHERE h.organisation_id = $1',
    );
    const count = (status: string[]): number => hits.filter((hit) => status.includes(hit.status)).length;
    expect(figures.lists).toMatchObject([
      {
        list: 'sanctions',
        hits: hits.length,
        confirmed: count(['CONFIRMED']),
        dismissed: count(['DISMISSED_FALSE_POSITIVE']),
        waiting: count(['PENDING', 'ESCALATED']),
      },
    ]);
    const communications = await all<{ status: string; due_at: Date }>(
      'SELECT status, due_at FROM coaf_communications WHERE organisation_id = $1',
    );
    expect(figures.overdue).toEqual({
      cases: open.filter(({ due_at: due }) => due.getTime() < now).length,
      communications: communications.filter(
        ({ status, due_at: due }) => status !== 'FILED' && due.getTime() < now,
      ).length,
    });
    expect(figures.overdue.cases).toBeGreaterThan(0);

    const { text } = await officer.get('/operator/figures/compliance.csv').expect(200);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe('figure,key,measure,value');
    for (const { day, kind, opened: n } of figures.alertsPerDay) {
      expect(lines).toContain(`alertsPerDay,${day},${kind},${n}`);
    }
    for (const { ruleId, falsePositives } of expectedRules) {
      expect(lines).toContain(`rules,${ruleId},falsePositives,${falsePositives}`);
    }
    expect(lines).toContain('timeToDecision,,p90Hours,76');
    expect(lines).toContain(`overdue,,cases,${figures.overdue.cases}`);
  });

  it('the case that was to be communicated has its draft, due and with its files', async () => {
    const one = await eventually('a draft', async () => {
      const answer = await officer.get('/operator/coaf/communications?kind=SUSPICION').expect(200);
      const [found] = (answer.body as { data: Communication[] }).data;
      return found ?? false;
    });
    expect(one).toMatchObject({ kind: 'SUSPICION', segment: 41, status: 'DRAFT' });
    await aReportingInstitution(t, client.organisationId);
    const xml = (
      await bytesOf(officer.get(`/operator/coaf/communications/${one.id}/files/siscoaf.xml`))
    ).toString('latin1');
    expect(xml).toContain('<NmEnv>Anacleto Sancionado Fictício</NmEnv>');
    expect(xml).toContain('<TpEnv>9</TpEnv>');
    expect(xml).toContain('<VlDeb>406,00</VlDeb>');
    // Drafted from the facts; the justification of the case ends it.
    expect(xml).toMatch(
      /<Det>Em [^<]* Ind\u00edcios: [^<]*: What was found in the analysis, in more than twenty characters\.<\/Det>/,
    );
    const path = `/operator/coaf/communications/${one.id}`;
    const filing = { filingNumber: '2026112000099', receivedAt: new Date().toISOString() };
    await approve(second, await officer.post(`${path}/filing`).send(filing).expect(202));
    const frozen = (await bytesOf(officer.get(`${path}/files/siscoaf.xml`))).toString('latin1');
    expect(frozen).toBe(xml);
    // The clock of the case has stopped, and its trail is whole with it.
    const { rows } = await t.owner.query<{ id: string; reported: boolean }>(
      `SELECT id, reported_at IS NOT NULL AS reported FROM reviews WHERE report = 'COMMUNICATE'`,
    );
    expect(rows).toMatchObject([{ reported: true }]);
    const trail = await officer
      .get(`/operator/audit/trails/review/${publicId('rev', rows[0]!.id)}`)
      .expect(200);
    expect(trail.body).toMatchObject({ data: { status: 'COMPLETE', gaps: [] } });
  });

  it('of a span count what lies in it, to the local day, and nothing of another organisation', async () => {
    const { rows } = await t.owner.query<{ id: string; kind: string }>(
      `SELECT id, kind FROM reviews WHERE organisation_id = $1 AND status = 'CLOSED' ORDER BY id LIMIT 2`,
      [client.organisationId],
    );
    // The last second of 9 February in Brazil, and the first one of the 10th.
    for (const [i, at] of ['2026-02-10T02:59:59Z', '2026-02-10T03:00:00Z'].entries()) {
      await t.owner.query(
        `UPDATE reviews SET opened_at = $2, closed_at = $2::timestamptz + interval '2 hours' WHERE id = $1`,
        [rows[i]!.id, at],
      );
    }
    const span = async (from: string, to: string, who = officer): Promise<Figures> =>
      data(await who.get(`/operator/figures/compliance?from=${from}&to=${to}`).expect(200)) as Figures;
    const [ninth, tenth] = ['2026-02-09', '2026-02-10'].map((day, i) => ({
      day,
      kind: rows[i]!.kind,
      opened: 1,
    }));
    expect((await span('2026-02-10', '2026-02-10')).alertsPerDay).toEqual([tenth]);
    expect((await span('2026-02-09', '2026-02-09')).alertsPerDay).toEqual([ninth]);
    expect((await span('2026-02-09', '2026-02-10')).alertsPerDay).toEqual([ninth, tenth]);
    // Both were closed on the 10th.
    expect((await span('2026-02-09', '2026-02-09')).timeToDecision.cases).toBe(0);
    expect((await span('2026-02-10', '2026-02-10')).timeToDecision).toMatchObject({ cases: 2, meanHours: 2 });
    const stranger = await t.client({ rules: false });
    const { organisationId } = stranger;
    const theirs = t.api.asOperator(await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId }));
    const nothing = await span('2026-02-01', '2026-02-28', theirs);
    expect(nothing).toMatchObject({
      alertsPerDay: [],
      rules: [],
      lists: [],
      overdue: { cases: 0, communications: 0 },
    });
    expect(nothing.ageing.every(({ cases }) => cases === 0)).toBe(true);
    expect(nothing.timeToDecision.cases).toBe(0);
  });

  it.each([
    ['from=2026-02-30', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'to'],
    ['from=2020-01-01&to=2026-01-01', 'from'],
    ['from=yesterday', 'from'],
  ])('%s is refused', async (query, path) => {
    const answer = await officer.get(`/operator/figures/compliance?${query}`).expect(400);
    expect(answer.body).toMatchObject({ error: { code: 'VALIDATION_FAILED', details: [{ path }] } });
  });
});

describe('Operations in cash', () => {
  const cash = { type: 'CASH_DEPOSIT', channel: 'BRANCH', amount: 50_000 };

  it('a deposit of 50,000 makes its record, once, due on the next day on which banks are open', async () => {
    // A Thursday before the Friday of 20 November, a holiday: due at the end of Monday.
    const ref = await evaluated({ ...cash, occurredAt: '2026-11-19T15:00:00Z' });
    const id = await reported(ref);
    const one = data(await officer.get(`/operator/coaf/communications/${id}`).expect(200)) as Communication;
    expect(one).toMatchObject({
      kind: 'CASH',
      segment: 42,
      status: 'DRAFT',
      amountBrl: '50000',
      dueAt: '2026-11-24T02:59:59.999Z',
      codes: [1161],
      filing: null,
    });
    expect(one.customerId).toMatch(/^cus_/);
    // Whatever job comes again.
    await Promise.all(
      [1, 2, 3].map(() => t.app.get(CashReportsService, { strict: false }).draftReports([ref])),
    );
    expect(await communicationsAbout(ref)).toEqual([id]);
  });

  it.each([
    ['a cent less', { ...cash, amount: 49_999.99 }],
    ['as much by PIX', { amount: 50_000 }],
    ['a foreign amount that is less in reais', { ...cash, amount: 9_000, currency: 'USD' }],
  ])('%s makes none', async (_, fields) => {
    await t.app.get(ExchangeRatesService, { strict: false }).import(client.organisationId, {
      source: 'test',
      // In Brazil it may still be yesterday.
      rates: [0, 86_400_000].map((ago) => ({
        currency: 'USD',
        date: new Date(Date.now() - ago).toISOString().slice(0, 10),
        rate: '5.00',
      })),
      actor: { type: 'system', id: 'test' },
      requestId: null,
      correlationId: null,
    });
    const ref = await evaluated({ ...fields, occurredAt: new Date().toISOString() });
    const after = await evaluated({ ...cash, type: 'CASH_WITHDRAWAL', amount: 70_000 });
    await reported(after);
    expect(await communicationsAbout(ref)).toEqual([]);
  });

  it('what cannot be converted is recorded, for a person to look at', async () => {
    const ref = await evaluated({ ...cash, amount: 100, currency: 'CHF' });
    const id = await reported(ref);
    const one = data(await officer.get(`/operator/coaf/communications/${id}`).expect(200)) as Communication;
    expect(one.amountBrl).toBeNull();
    expect(one.problems).toContainEqual({ field: 'VlCred', code: 'MISSING' });
  });

  it('the files say what was sent in, and taking them is written down', async () => {
    await aReportingInstitution(t, client.organisationId);
    const ref = await evaluated({
      ...cash,
      amount: 50_000.5,
      origin: { name: 'João Exemplo', cpfCnpj: CPF.payee, country: 'BR' },
      destination: {
        name: 'Maria Exemplo',
        cpfCnpj: CPF.customer,
        accountReference: '0001-42',
        country: 'BR',
      },
    });
    const id = await reported(ref);
    const file = async (name: string): Promise<string> => {
      const answer = await officer.get(`/operator/coaf/communications/${id}/files/${name}`).buffer(true);
      expect(answer.headers['content-type']).toContain('ISO-8859-1');
      return (answer.body instanceof Buffer ? answer.body : Buffer.from(answer.text, 'latin1')).toString(
        'latin1',
      );
    };
    const xml = await file('siscoaf.xml');
    expect(xml).toContain('<CPFCNPJCom>11222333000181</CPFCNPJCom>');
    expect(xml).toContain('<VlCred>50000,50</VlCred>');
    expect(xml).toContain(`<CPFCNPJEnv>${CPF.customer}</CPFCNPJEnv>`);
    expect(xml).toContain(`<CPFCNPJEnv>${CPF.payee}</CPFCNPJEnv>`);
    expect(await file('siscoaf.xml')).toBe(xml);
    expect(await file('RIF_Ocorrencias.csv')).toContain('1;1161;');
    await officer.get(`/operator/coaf/communications/${id}/files/other.txt`).expect(404);
    const { rows } = await t.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_entries
       WHERE organisation_id = $1 AND action = 'dossier.exported' AND subject_type = 'dossier'`,
      [client.organisationId],
    );
    expect(rows[0]!.count).toBeGreaterThanOrEqual(3);
    const analyst = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
    await t.api.asOperator(analyst).get(`/operator/coaf/communications/${id}/files/siscoaf.xml`).expect(403);
  });

  it('what was filed is recorded by one person and confirmed by another; then it is frozen', async () => {
    const ref = await evaluated({ ...cash, amount: 80_000 });
    const path = `/operator/coaf/communications/${await reported(ref)}`;
    const filing = { filingNumber: '2026112000017', receivedAt: new Date().toISOString() };
    const ahead = new Date(Date.now() + 86_400_000).toISOString();
    await officer
      .post(`${path}/filing`)
      .send({ ...filing, receivedAt: ahead })
      .expect(400);
    const first = askedIn(await officer.post(`${path}/filing`).send(filing).expect(202));
    await officer.post(`${path}/filing`).send(filing).expect(409);
    const request = (id: string): string => `/operator/approvals/${id}`;
    const refused = await officer
      .post(`${request(first.id)}/approve`)
      .send({ digest: first.digest })
      .expect(403);
    expect(refused.body).toMatchObject({ error: { code: 'FOUR_EYES_REQUIRED' } });
    await second
      .post(`${request(first.id)}/refuse`)
      .send({ reason: 'Another number.' })
      .expect(200);
    expect(data(await officer.get(path).expect(200))).toMatchObject({ status: 'DRAFT', approvalId: null });
    const { id, digest } = askedIn(
      await officer
        .post(`${path}/filing`)
        .send({ ...filing, filingNumber: '2026112000018' })
        .expect(202),
    );
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => second.post(`${request(id)}/approve`).send({ digest })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const one = data(await officer.get(path).expect(200)) as Communication;
    expect(one).toMatchObject({ status: 'FILED', filing: { filingNumber: '2026112000018' } });
    const csv = await officer.get(`${path}/files/RIF_Comunicacoes.csv`).expect(200);
    expect(csv.text).toContain('1;2026112000018;-;');
    const trail = await officer
      .get(`/operator/audit/trails/communication/${path.split('/').pop()!}`)
      .expect(200);
    expect(trail.body).toMatchObject({ data: { status: 'COMPLETE' } });
  });

  it('the year is counted, and one without any has to be stated within ten bank days', async () => {
    const of = async (year: number): Promise<unknown> =>
      data(await officer.get(`/operator/coaf/year?year=${year}`).expect(200));
    expect(await of(2025)).toEqual({
      year: 2025,
      counts: [
        { kind: 'SUSPICION', drafted: 0, filed: 0 },
        { kind: 'CASH', drafted: 0, filed: 0 },
      ],
      noOccurrence: true,
      // 1 January is a holiday; 2026 begins on a Thursday, so the tenth bank day is Thursday the 15th.
      statementDueAt: '2026-01-16T02:59:59.999Z',
    });
    const thisYear = new Date(Date.now() - 3 * 3_600_000).getUTCFullYear();
    const { rows } = await t.owner.query<{ drafted: number; filed: number }>(
      `SELECT count(*)::int AS drafted, count(*) FILTER (WHERE status = 'FILED')::int AS filed
       FROM coaf_communications WHERE organisation_id = $1 AND kind = 'CASH'
         AND extract(year FROM decided_at AT TIME ZONE 'America/Sao_Paulo') = $2`,
      [client.organisationId, thisYear],
    );
    expect(await of(thisYear)).toMatchObject({
      noOccurrence: false,
      counts: [{}, { kind: 'CASH', ...rows[0]! }],
    });
  });
});

// At the end: the figures count every case.
describe('A dossier for readers', () => {
  it('says in words who decided what about a transaction, and which institution that was', async () => {
    const { customerId: decided, refs: asked } = await aCustomer(
      {
        externalCustomerId: 'decided-customer',
        cpfCnpj: '86288366757',
        amount: 90_000,
        type: 'CASH_DEPOSIT',
        channel: 'BRANCH',
        origin: { name: 'Decidida Exemplo', cpfCnpj: '86288366757', country: 'BR' },
      },
      1,
    );
    const about = publicId('txn', asked[0]!);
    const opened = await officer
      .post('/operator/reviews')
      .send({
        ...{ customerId: decided, transaction: about },
        reason: 'A large deposit that somebody has to look at.',
      })
      .expect(201);
    const { id } = data(opened) as { id: string };
    const justification = 'The origin of the money was not shown by any document.';
    const decision = { resolution: 'REJECTED', report: 'ARCHIVE', justification };
    await approve(second, await officer.post(`/operator/reviews/${id}/decision`).send(decision).expect(202));
    const dossier = await eventually('the decision has arrived', async () => {
      const found = data(
        await officer.get(`/operator/customers/${decided}/dossier`).expect(200),
      ) as DossierView & { head: { people: { id: string; name: string; roles: string[] }[] } };
      const last = found.transactions[0]!.evaluations.at(-1) as { decision: object | null };
      return last.decision === null ? false : found;
    });
    expect(dossier.transactions[0]!.evaluations.at(-1)).toMatchObject({
      decision: { outcome: 'REJECTED', reviewId: id, singleControl: false },
    });
    expect(dossier.head.people.length).toBeGreaterThanOrEqual(2);
    for (const { roles } of dossier.head.people) expect(roles).toEqual(['COMPLIANCE_OFFICER']);
    for (const [lang, ...words] of [
      [
        'pt-BR',
        'Recusada',
        'no caso',
        'decisão proposta',
        'responsável por compliance',
        'Depósito em espécie',
      ],
      ['en', 'Rejected', 'in the case', 'decision proposed', 'compliance officer', 'Cash deposit'],
    ]) {
      const pdf = textOf(
        await bytesOf(officer.get(`/operator/customers/${decided}/dossier.pdf?lang=${lang}`)),
      );
      for (const word of [...words, dossier.head.people[0]!.name]) expect(pdf).toContain(word);
      expect(pdf).not.toMatch(/review\.decided|CASH_DEPOSIT|COMPLIANCE_OFFICER|REJECTED|system:/);
    }
  });

  it.each([
    ['APPROVED', 'ARCHIVE'],
    ['FALSE_POSITIVE', 'ARCHIVE'],
    ['REJECTED', 'COMMUNICATE'],
  ])(
    'says of a transaction of a case closed as %s (%s) what the API says, who decided and why',
    async (resolution, report) => {
      const cpfCnpj = { APPROVED: '11144477735', FALSE_POSITIVE: '39053344705', REJECTED: '15350946056' }[
        resolution
      ];
      const { customerId: decided, refs: asked } = await aCustomer(
        {
          externalCustomerId: `resolved-${resolution}`,
          ...{ cpfCnpj, amount: 90_000, type: 'CASH_DEPOSIT', channel: 'BRANCH' },
          origin: { name: 'Decidida Exemplo', cpfCnpj, country: 'BR' },
        },
        1,
      );
      const transaction = publicId('txn', asked[0]!);
      const { rows } = await t.owner.query<{ transaction_id: string }>(
        'SELECT transaction_id FROM kyt_transactions WHERE id = $1',
        [asked[0]],
      );
      const sent = rows[0]!;
      const reason = 'A large deposit that somebody has to look at.';
      const opened = await officer
        .post('/operator/reviews')
        .send({ customerId: decided, transaction, reason })
        .expect(201);
      const { id } = data(opened) as { id: string };
      const justification = `Looked at with every paper of the customer: ${resolution}.`;
      await approve(
        second,
        await officer
          .post(`/operator/reviews/${id}/decision`)
          .send({ resolution, report, justification })
          .expect(202),
      );
      const said = await eventually('the decision has arrived', async () => {
        const read = data(await integrator.get(`/kyt/transactions/${sent.transaction_id}`).expect(200)) as {
          outcome: string;
          decision: object | null;
        };
        return read.decision === null ? false : read;
      });
      for (const about of [`/operator/customers/${decided}`, `/operator/reviews/${id}`]) {
        const { transactions, head } = data(
          await officer.get(`${about}/dossier`).expect(200),
        ) as DossierView & {
          head: { people: { id: string; name: string; roles: string[] }[] };
        };
        const { decision } = transactions[0]!.evaluations.at(-1) as {
          decision: {
            outcome: string;
            proposedBy: { name: string; roles: string[] };
            closedBy: { name: string };
          };
        };
        expect(decision).toMatchObject({ outcome: said.outcome, reviewId: id, justification });
        const { proposedBy, closedBy } = decision;
        expect(proposedBy.name).not.toBe(closedBy.name);
        for (const person of [proposedBy, closedBy]) expect(head.people).toContainEqual(person);
        const pdf = textOf(await bytesOf(officer.get(`${about}/dossier.pdf?lang=en`)));
        const words = { APPROVED: 'Approved', REJECTED: 'Rejected' }[said.outcome] ?? said.outcome;
        for (const text of [`Decision: ${words}`, justification, proposedBy.name, closedBy.name]) {
          expect(pdf.replaceAll(/\s+/g, ' ')).toContain(text);
        }
      }
    },
  );

  it('is tagged: headings in order, contents that lead to their pages, the institution on each page', async () => {
    const { name } = data(await officer.get('/operator/coaf/institution').expect(200)) as { name: string };
    for (const [lang, paper] of [
      ['pt-BR', 'dossier.pdf'],
      ['en', 'dossier.pdf'],
      ['pt-BR', 'subject-export.pdf'],
    ] as const) {
      const bytes = await bytesOf(officer.get(`/operator/customers/${suspect}/${paper}?lang=${lang}`));
      const parts = partsOf(structureOf(bytes));
      const levels = parts.flatMap(({ type }) => /^H([123])$/.exec(type)?.[1] ?? []).map(Number);
      expect(levels[0]).toBe(1);
      levels.forEach((level, i) => {
        expect(level).toBeLessThanOrEqual((levels[i - 1] ?? 0) + 1);
      });
      const entries = parts.filter(({ type }) => type === 'Link');
      const sections = parts.filter(({ type }) => type === 'H2').slice(1);
      expect(entries.map(({ text, target }) => [text, target])).toEqual(
        sections.map(({ text, pages: [page] }) => [`${text} ${page}`, page]),
      );
      expect(entries.length).toBeGreaterThanOrEqual(5);
      for (const page of readPdf(bytes).pages) expect(page[2]).toContain(`${name} | `);
    }
  });

  it('shows pictures to who may look at files, with words for each, and each look is in its trail', async () => {
    const { organisationId } = client;
    const customerId = uuidOf('cus', suspect);
    const { id } = await anArtifact(t, organisationId, {
      customerId,
      file: await aPicture(64, 64, 7).png().toBuffer(),
    });
    const views = async (): Promise<number> => {
      const { rowCount } = await t.owner.query(
        `SELECT FROM audit_entries WHERE subject_id = $1 AND action = 'artifact.viewed'`,
        [id],
      );
      return rowCount ?? 0;
    };
    const figures = async (path: string): Promise<(string | null)[]> => {
      const bytes = await bytesOf(officer.get(`/operator/customers/${suspect}/${path}`).expect(200));
      return partsOf(structureOf(bytes)).flatMap(({ type, alt }) => (type === 'Figure' ? [alt] : []));
    };
    expect(await figures('dossier.pdf')).toEqual([]);
    expect(await views()).toBe(0);
    expect(await figures('dossier.pdf?pictures=true')).toEqual([expect.stringMatching(/^Documento, /)]);
    expect(await figures('subject-export.pdf?pictures=true&lang=en')).toEqual([
      expect.stringMatching(/^Document, /),
    ]);
    expect(await views()).toBe(2);
    const permissions = new Set(['customers:export', 'customers:reveal'] as const);
    const somebody = { permissions } as unknown as OperatorPrincipal;
    expect(() =>
      t.app.get(DossierPicturesService).load(systemActor(organisationId, 'test'), somebody),
    ).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
  });
});
