import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemActor } from '../../src/features/audit/index.js';
import { OrganisationSettingsService } from '../../src/features/auth/index.js';
import { ComplianceReportService } from '../../src/features/dossiers/compliance-report.service.js';
import { RouteTable } from '../../src/platform/http/index.js';
import { Quotas, quotaNames, type QuotaName } from '../../src/platform/quotas/index.js';
import { RulesetsService } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import { ListImporterService, ScreeningListsService } from '../../src/features/screening/index.js';
import { SessionRepository } from '../../src/features/sessions/store/session.repository.js';
import { WebhookEndpointsService } from '../../src/features/webhooks/index.js';
import { ExportRepository } from '../../src/features/audit/store/export.repository.js';
import { newUuid, publicId } from '../../src/platform/kernel/index.js';
import { detailsOf, expectError } from '../support/answers.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
});

afterAll(async () => {
  await t.close();
});

const set = (organisationId: string, name: QuotaName, value: number | null): Promise<void> =>
  t.app.get(OrganisationSettingsService).setQuota(organisationId, name, value);
const by = { actor: { type: 'system', id: 'test' } } as const;

const endpoint = ({ organisationId, id: clientAppId }: TestClient, i: number): Promise<unknown> =>
  t.app.get(WebhookEndpointsService).create({
    ...by,
    organisationId,
    clientAppId,
    url: `http://127.0.0.1:4${String(i).padStart(3, '0')}/hooks`,
  });

describe('quotas of an organisation', () => {
  it('are seen by its operators, each with what is taken, and no route sets one', async () => {
    const admin = await t.operator();
    await set(admin.organisationId, 'exportsAtOnce', 3);
    const limits = async (): Promise<Map<string, number>> => {
      const { body } = await t.api.asOperator(admin).get('/operator/quotas').expect(200);
      const { quotas } = body.data as { quotas: { name: string; limit: number; used: number | null }[] };
      expect(quotas.map(({ name }) => name)).toEqual(quotaNames);
      for (const name of ['endpoints', 'sessionsOpen', 'storedBytes', 'listEntries']) {
        expect(quotas.find((one) => one.name === name)?.used).toBe(0);
      }
      return new Map(quotas.map(({ name, limit }) => [name, limit]));
    };
    await eventually('the limit is seen', async () => (await limits()).get('exportsAtOnce') === 3);
    expect((await limits()).get('endpointsPerApp')).toBe(20);
    const other = await t.operator();
    const theirs = await t.api.asOperator(other).get('/operator/quotas').expect(200);
    expect(JSON.stringify(theirs.body)).toContain(
      '"exportsAtOnce","description":"Audit exports that are made at a time; the others wait their turn.","limit":1',
    );
    const routes = t.app.get(RouteTable).routes();
    expect(routes.filter(({ path }) => path.includes('quota')).map(({ method }) => method)).toEqual(['GET']);
  });

  it('setting one is in the trail of the installation, and taking it back gives the default', async () => {
    const { organisationId } = await t.operator();
    await set(organisationId, 'uploadsInFlight', 4);
    await set(organisationId, 'uploadsInFlight', null);
    const { rows } = await t.owner.query(
      `SELECT convert_from(canonical, 'UTF8')::jsonb -> 'content' AS content FROM audit_entries
       WHERE subject_type = 'operations' AND subject_id = 'quotas'
         AND convert_from(canonical, 'UTF8')::jsonb -> 'content' ->> 'organisation' = $1 ORDER BY subject_seq`,
      [organisationId],
    );
    expect(rows.map(({ content }: { content: { value: number | null } }) => content.value)).toEqual([
      4,
      null,
    ]);
    expect((await t.app.get(Quotas).limitsOf(organisationId)).uploadsInFlight).toBe(32);
  });

  it('of fifty endpoints that are made at once twenty are, whatever the process', async () => {
    const client = await t.client();
    const made = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => endpoint(client, i)));
    const at = made.filter((one) => one.status === 'fulfilled').length;
    // A busy machine refuses some of fifty at once for other reasons; what is missing comes one after the other.
    expect(at).toBeLessThanOrEqual(20);
    for (let i = at; i < 20; i += 1) await endpoint(client, 100 + i);
    await expect(endpoint(client, 999)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    const app = await t.operator({ organisationId: client.organisationId });
    const answer = await t.api
      .asOperator(app)
      .post('/operator/webhook-endpoints')
      .send({ clientAppId: publicId('app', client.id), url: 'http://127.0.0.1:4999/hooks' });
    expect(detailsOf(expectError(answer, 409, 'QUOTA_EXCEEDED'))).toEqual(['endpointsPerApp QUOTA']);
  });

  it('the rate holds for all applications together, whatever an administrator gives each of them', async () => {
    const one = await t.client({ perSecond: 100_000, burst: 100_000 });
    const other = await t.client({ organisationId: one.organisationId, perSecond: 100_000, burst: 100_000 });
    await set(one.organisationId, 'requestsPerSecond', 2);
    const statusOf = async (client: TestClient): Promise<number> =>
      (await t.api.as(client).post('/kyt/transactions/ingest').send(aTransaction())).status;
    await eventually('the limit is known', async () => (await statusOf(one)) === 429);
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, i) => statusOf(i % 2 ? one : other)));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20);
    const neighbour = await t.client();
    expect(await statusOf(neighbour)).toBe(202);
  });

  it('operators of one organisation share a rate, which is that of one of them at the least', async () => {
    const limited = await startTestApp({
      like: t,
      settings: { role: 'api', rateLimitOperatorPerMinute: 20 },
    });
    try {
      const { organisationId } = await limited.operator();
      const people = await Promise.all(Array.from({ length: 4 }, () => limited.operator({ organisationId })));
      const neighbour = await limited.operator();
      await set(organisationId, 'requestsPerSecond', 1);
      const quotas = limited.app.get(Quotas);
      await eventually(
        'the limit is known',
        async () => (await quotas.limitsOf(organisationId)).requestsPerSecond === 1,
      );
      const ask = async (who: TestOperator): Promise<number> =>
        (await limited.api.asOperator(who).get('/operator/me')).status;
      const begun = performance.now();
      const statuses = await Promise.all(people.flatMap((who) => Array.from({ length: 15 }, () => ask(who))));
      const seconds = (performance.now() - begun) / 1_000;
      // Each of the four may have twenty at once, and all together twenty.
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(22 + seconds);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
      expect(await ask(neighbour)).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('open sessions and stored bytes are refused beyond the limit', async () => {
    const { organisationId } = await t.operator();
    await set(organisationId, 'sessionsOpen', 2);
    await set(organisationId, 'storedBytes', 100);
    const quotas = t.app.get(Quotas);
    await eventually(
      'the limits are known',
      async () => (await quotas.limitsOf(organisationId)).sessionsOpen === 2,
    );
    const sessions = t.app.get(SessionRepository);
    await sessions.requireQuota(organisationId);
    await sessions.requireQuota(organisationId);
    await expect(sessions.requireQuota(organisationId)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await quotas.requireRoom(organisationId, 'storedBytes', 60);
    await expect(quotas.requireRoom(organisationId, 'storedBytes', 60)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
  });
});

describe('a list that is larger than the lists of an organisation may be', () => {
  it('is not imported, and says why; what there was is left', async () => {
    const { organisationId } = await t.operator();
    await set(organisationId, 'listEntries', 2);
    await eventually(
      'the limit is known',
      async () => (await t.app.get(Quotas).limitsOf(organisationId)).listEntries === 2,
    );
    const ctx = systemActor(organisationId, 'test');
    const imported = async (key: string, names: readonly string[]): Promise<object> => {
      const list = await t.app
        .get(ScreeningListsService)
        .findOrCreate(ctx, { key, name: key, kind: 'SANCTIONS', format: 'HOUSE_CSV' });
      const importer = t.app.get(ListImporterService);
      const { id } = await importer.startImport(ctx, list, null);
      const lines = names.map((name, i) => `k${i};${name};PERSON;;;\n`);
      const main = Readable.from([Buffer.from(`key;name;kind;birthDate;type;value\n${lines.join('')}`)]);
      return importer.runImport(ctx, list, id, { main, bytesTotal: null }, { confirmation: 'NEVER' });
    };
    expect(await imported('first', ['Ana Um'])).toMatchObject({ status: 'PUBLISHED', entries: 1 });
    expect(await imported('second', ['Bia Um', 'Bia Dois'])).toMatchObject({
      status: 'FAILED',
      reason: 'QUOTA_EXCEEDED',
    });
    // Its own entries are replaced, so they do not count beside the new ones.
    expect(await imported('first', ['Ana Um', 'Ana Dois'])).toMatchObject({
      status: 'PUBLISHED',
      entries: 2,
    });
    expect(await imported('first', ['Ana Um', 'Ana Dois', 'Ana Três'])).toMatchObject({ status: 'FAILED' });
  });
});

describe('costly calls', () => {
  it('are a few at a time for each organisation, and those of others are answered meanwhile', async () => {
    const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'] });
    const neighbour = await t.operator({ roles: ['COMPLIANCE_OFFICER'] });
    await set(officer.organisationId, 'costlyCallsAtOnce', 1);
    const quotas = t.app.get(Quotas);
    await eventually(
      'the limit is known',
      async () => (await quotas.limitsOf(officer.organisationId)).costlyCallsAtOnce === 1,
    );
    const report = t.app.get(ComplianceReportService);
    const real = report.readFigures.bind(report);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const figures = jest.spyOn(report, 'readFigures').mockImplementation(async (organisationId, span) => {
      begun += 1;
      if (organisationId === officer.organisationId) await held;
      return real(organisationId, span);
    });
    try {
      const ask = (who: TestOperator): Promise<{ status: number }> =>
        t.api
          .asOperator(who)
          .get('/operator/figures/compliance')
          .then((answer) => answer);
      const first = ask(officer);
      await eventually('the first one is under way', () => begun === 1);
      expect((await ask(officer)).status).toBe(503);
      expect((await ask(neighbour)).status).toBe(200);
      // A call that comes while there is no place is served when there is one.
      const second = ask(officer);
      expect(await Promise.race([second.then(() => 'answered'), sleep(100).then(() => 'waits')])).toBe(
        'waits',
      );
      release();
      expect((await first).status).toBe(200);
      expect((await second).status).toBe(200);
      expect((await ask(officer)).status).toBe(200);
    } finally {
      figures.mockRestore();
    }
  });
});

describe('what waits its turn', () => {
  it('is a bounded number of exports and back-tests of one organisation', async () => {
    const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER', 'AUDITOR'] });
    const { organisationId } = officer;
    await t.app.get(RulesetsService).publish(organisationId, brFirst, 'test');
    await set(organisationId, 'exportsWaiting', 2);
    await set(organisationId, 'backtestsWaiting', 2);
    const quotas = t.app.get(Quotas);
    await eventually(
      'the limits are known',
      async () => (await quotas.limitsOf(organisationId)).backtestsWaiting === 2,
    );
    const api = t.api.asOperator(officer);
    const reason = 'The yearly report of the auditors.';
    for (const [path, body] of [
      ['/operator/audit/exports', { reason, auditReady: false }],
      ['/operator/rulesets/br-first/versions/1/backtests', {}],
    ] as const) {
      const ask = (): Promise<{ status: number }> =>
        api
          .post(path)
          .send(body)
          .then((answer) => answer);
      const made = await Promise.all([ask(), ask(), ask(), ask()]);
      expect(made.map(({ status }) => status).sort()).toEqual([202, 202, 409, 409]);
      expectError(await api.post(path).send(body), 409, 'QUOTA_EXCEEDED');
    }
    await t.owner.query(`UPDATE audit_exports SET status = 'FAILED' WHERE organisation_id = $1`, [
      organisationId,
    ]);
  });
});

describe('turns of long jobs', () => {
  it('go to the organisation that has had none, one at a time for each', async () => {
    const exports = t.app.get(ExportRepository);
    const [greedy, patient] = [(await t.operator()).organisationId, (await t.operator()).organisationId];
    const queue = async (organisationId: string): Promise<string> => {
      const id = newUuid();
      await t.owner.query(
        `INSERT INTO audit_exports (id, organisation_id, filter, reason, audit_ready, language, trail_hash, requested_by)
         VALUES ($1, $2, '{}', 'Turns of a test.', false, 'pt-BR', $3, 'system:test')`,
        [id, organisationId, Buffer.alloc(32)],
      );
      return id;
    };
    const theirs = [await queue(greedy), await queue(greedy), await queue(greedy)];
    const mine = await queue(patient);
    const first = await exports.claimNext();
    const second = await exports.claimNext();
    expect([first?.id, second?.id]).toEqual([theirs[0], mine]);
    // Each of them has one under way.
    expect(await exports.claimNext()).toBeNull();
    await t.owner.query(`UPDATE audit_exports SET status = 'FAILED' WHERE id = ANY ($1)`, [
      [theirs[0], mine],
    ]);
    const again = await queue(patient);
    // The one that began last waits for the one that began before.
    expect((await exports.claimNext())?.id).toBe(theirs[1]);
    expect((await exports.claimNext())?.id).toBe(again);
  });
});
