import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ModuleRef } from '@nestjs/core';
import { AuditTrail } from '../../src/features/audit/index.js';
import { ArtifactsService, UploadsModule } from '../../src/features/uploads/index.js';
import { ArtifactSweepService } from '../../src/features/uploads/jobs/artifact-sweep.service.js';
import { ApiProcess } from './api-process.js';
import type { TestClient } from './api.js';
import { startTestApp, type TestApp } from './app.js';
import { PERSON_ANSWERS } from './builders.js';
import { eventually } from './eventually.js';
import { sendForm } from './form-sender.js';
import { formOf } from './hostile-files.js';
import { documentPhoto, facePhoto } from './made-pictures.js';
import { withProvider } from './providers.js';

export interface CrashPlan {
  readonly kills: number;
  readonly people: number;
  /** When each life of the process ends: so many milliseconds after it is ready, or as soon as checks are under way. */
  readonly lives: (kill: number) => number | 'CHECKS';
  /** The lease of checks that were cut off: waited for, or made to run out. */
  readonly leases: 'wait' | 'end';
}

export interface CrashReport {
  readonly cutOff: number;
  readonly uploads: number;
  readonly swept: unknown;
  /** Requests to the provider of checks beyond one of each kind for each session: checks that were done again. */
  readonly askedAgain: number;
}

/** As slow as providers are, so that a kill finds checks under way. */
const PROVIDER_MS = 250;
const COST = 350_000;
const LIMITS = {
  RATE_LIMIT_SESSION_PER_MINUTE: '100000',
  RATE_LIMIT_UPLOAD_PER_MINUTE: '100000',
  RATE_LIMIT_COMPLETE_PER_MINUTE: '100000',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
};

/**
 * People go through sessions while the process that serves them is killed again and again; each of them tries again as
 * the page does. Fails unless afterwards everything acknowledged is there, nothing else is, and each session has come to
 * its end exactly once.
 */
export async function crashSessions(plan: CrashPlan): Promise<CrashReport> {
  const t = await startTestApp({ settings: { role: 'api' } });
  const requests = new Set<string>();
  const provider = createServer((request, response) => {
    asked += 1;
    void json(request).then((body) => {
      requests.add((body as { requestId: string }).requestId);
      setTimeout(() => response.end('{"verdict":"PASS"}'), PROVIDER_MS);
    });
  }).listen(0, '127.0.0.1');
  let asked = 0;
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const service = new MortalService(t, {
    ...LIMITS,
    ROLE: 'all',
    DATA_DIR: t.settings.dataDir,
    CHECK_PROVIDER_ALLOW_CIDRS: '127.0.0.1/32',
  });
  try {
    const client = await t.client({ rules: false });
    const checks = ['DOCUMENT', 'LIVENESS'] as const;
    await withProvider(t, client.organisationId, { name: 'acme', checks, url, costMicros: COST });
    await service.start();
    const links = await linksFor(t, client, plan.people);
    const people = links.map((link, i) => new Person(service, client, link, i));
    const done = Promise.all(people.map((person) => person.goThrough()));
    for (let kill = 0; kill < plan.kills; kill += 1) {
      const life = plan.lives(kill);
      const before = asked;
      if (life === 'CHECKS') await eventually('checks are under way', () => asked > before, 60_000);
      else await sleep(life);
      await service.kill();
      await service.start();
    }
    await done;
    if (plan.leases === 'end') {
      await t.owner.query(
        `UPDATE kyc_session_work SET due_at = clock_timestamp(), announced_at = '-infinity'`,
      );
    }
    await everySessionEndsOnce(t, client, plan.people);
    // However often it was asked, each check is one request to the provider, and is counted and paid once.
    expect(requests.size).toBe(2 * plan.people);
    const { rows: paid } = await t.owner.query<{ calls: number; cost: number }>(
      `SELECT sum(calls - failures)::int AS calls, sum(cost_micros)::int - ${COST} * sum(failures)::int AS cost
       FROM provider_usage`,
    );
    expect(paid).toEqual([{ calls: 2 * plan.people, cost: 2 * plan.people * COST }]);
    await service.stop();
    const uploads = people.flatMap(({ artifacts }) => artifacts);
    const swept = await nothingIsLeft(t, client, uploads);
    return {
      cutOff: people.reduce((sum, { cutOff }) => sum + cutOff, 0),
      uploads: people.reduce((sum, { taken }) => sum + taken, 0),
      swept,
      askedAgain: asked - 2 * plan.people,
    };
  } finally {
    await service.stop();
    provider.closeAllConnections();
    provider.close();
    await t.close();
  }
}

/** One process at a time: when it is killed, whoever waits gets the next. */
class MortalService {
  private current: ApiProcess | null = null;
  private lives = 0;

  constructor(
    private readonly t: TestApp,
    private readonly env: Record<string, string>,
  ) {}

  async start(): Promise<void> {
    this.current = await ApiProcess.start(this.t, this.env);
    this.lives += 1;
  }

  async kill(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.kill();
  }

  async stop(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.stop();
  }

  /** Where it is, and in which of its lives. */
  async at(): Promise<{ readonly url: string; readonly life: number }> {
    const up = await eventually('the service is up', () => this.current, 60_000);
    return { url: up.url, life: this.lives };
  }

  /** Whether a call that was made in that life was cut off by a kill, and is no fault. */
  hasDied(life: number): boolean {
    return this.current === null || this.lives > life;
  }
}

/** Somebody with a link, who sends a document, a selfie and the answers, and tries again what was cut off. */
class Person {
  readonly artifacts: string[] = [];
  /** Pictures that their step took. */
  taken = 0;
  cutOff = 0;

  constructor(
    private readonly service: MortalService,
    private readonly client: TestClient,
    private readonly link: string,
    private readonly turn: number,
  ) {}

  async goThrough(): Promise<void> {
    // Not all at the same step: each kill is to find uploads, submissions and checks.
    await sleep(this.turn * 120);
    // A document and a selfie: each goes to the first step that still wants one.
    await this.give((seed) => documentPhoto('cnh', { seed }));
    await this.give((seed) => facePhoto({ seed }));
    await this.insist(202, async (url) => {
      const response = await fetch(`${url}/complete`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userData: PERSON_ANSWERS }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    });
  }

  /** Sends a picture, and a better one as long as the service asks for it. */
  private async give(photo: (seed: number) => Promise<Buffer>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const form = formOf({ name: '', file: await photo(100 + this.turn * 10 + attempt) });
      const { data } = await this.insist(201, (url) => sendForm(`${url}/upload`, this.client, form));
      const { artifactId, quality } = data as { artifactId: string; quality?: { triesLeft: number } };
      this.artifacts.push(artifactId);
      if ((quality?.triesLeft ?? 0) > 0) continue;
      this.taken += 1;
      return;
    }
  }

  /** Until it is done: for the first time, or, when only the answer was cut off, again. */
  private async insist(
    first: number,
    call: (url: string) => Promise<{ status: number; body: Readonly<Record<string, unknown>> }>,
  ): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const { url, life } = await this.service.at();
      try {
        const { status, body } = await call(`${url}/kyc-sessions/${this.link}`);
        if (status === first || status === 200) return body;
        // While it dies it may still say that it is not ready.
        if (status !== 503) throw new Error(`${status} ${JSON.stringify(body['error'])}`);
      } catch (error) {
        if (error instanceof Error && /^\d{3} /.test(error.message)) throw error;
        if (!this.service.hasDied(life)) {
          await sleep(200);
          if (!this.service.hasDied(life)) throw error;
        }
        this.cutOff += 1;
      }
      await sleep(50);
    }
  }
}

async function linksFor(t: TestApp, client: TestClient, count: number): Promise<string[]> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
  const api = t.api.asOperator(officer);
  const links: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const { body } = await api.post('/operator/kyc-sessions').send({ flowKey: 'onboarding-pf' }).expect(201);
    links.push((body as { data: { sessionId: string } }).data.sessionId);
  }
  return links;
}

async function everySessionEndsOnce(t: TestApp, client: TestClient, count: number): Promise<void> {
  const sessions = async (): Promise<readonly { id: string; status: string; outcome: string | null }[]> => {
    const { rows } = await t.owner.query<{ id: string; status: string; outcome: string | null }>(
      'SELECT id, status, outcome FROM kyc_sessions',
    );
    return rows;
  };
  const over = async (): Promise<boolean> => (await sessions()).every(({ status }) => status === 'COMPLETED');
  await eventually('every session is over', over, 150_000);
  const ended = await sessions();
  expect(ended).toHaveLength(count);
  const one = async (sql: string): Promise<number[]> => {
    const { rows } = await t.owner.query<{ n: number }>(sql);
    return rows.map(({ n }) => n);
  };
  const each = Array<number>(count).fill(1);
  // One event, one case, one entry of its end for each of them, and no work left.
  expect(
    await one(`SELECT count(*)::int AS n FROM events WHERE type = 'session.completed' GROUP BY resource_id`),
  ).toEqual(each);
  expect(
    await one(`SELECT count(*)::int AS n FROM reviews WHERE kind = 'SESSION' GROUP BY session_ref`),
  ).toEqual(each);
  expect(await one('SELECT count(*)::int AS n FROM kyc_session_work')).toEqual([0]);
  for (const { id } of ended) {
    const subject = { organisationId: client.organisationId, type: 'session', id } as const;
    const actions = (await t.app.get(AuditTrail).readEntries(subject)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'session.completed')).toHaveLength(1);
    expect(actions.filter((action) => action === 'session.submitted')).toHaveLength(1);
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
  }
}

async function nothingIsLeft(
  t: TestApp,
  client: TestClient,
  acknowledged: readonly string[],
): Promise<unknown> {
  const files = async (part: 'kept' | 'incoming'): Promise<string[]> => {
    const folder = join(t.settings.dataDir, 'artifacts', part);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  };
  // The application of the test takes no background work; only for this it gets the sweep of a worker.
  const sweep = await t.app
    .select(UploadsModule)
    .get(ModuleRef, { strict: true })
    .create(ArtifactSweepService);
  const swept = await sweep.sweep(0);
  const { rows } = await t.owner.query<{ id: string; storage_key: string; view_key: string; state: string }>(
    'SELECT id, storage_key, view_key, state FROM artifacts',
  );
  expect(swept).toMatchObject({ lost: 0, erased: 0 });
  expect(await files('incoming')).toEqual([]);
  expect((await files('kept')).sort()).toEqual(rows.flatMap((row) => [row.storage_key, row.view_key]).sort());
  // An upload that was repeated after a cut-off answer is the same artifact: no artifact is there that nobody was told
  // of.
  const known = rows.map(({ id }) => `art_${id.replaceAll('-', '')}`).sort();
  expect(known).toEqual([...acknowledged].sort());
  const service = t.app.get(ArtifactsService);
  for (const { id, state } of rows) {
    expect(state).toBe('STORED');
    const artifact = await service.get(client.organisationId, id);
    let bytes = 0;
    for await (const chunk of await service.openContent(artifact, 'original')) bytes += chunk.length;
    expect(bytes).toBe(artifact.sizeBytes);
    const subject = { organisationId: client.organisationId, type: 'artifact', id } as const;
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
  }
  return swept;
}
