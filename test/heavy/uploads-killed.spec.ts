import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { AuditTrail } from '../../src/audit/index.js';
import { ArtifactsService } from '../../src/uploads/index.js';
import { ArtifactSweep } from '../../src/uploads/jobs/artifact-sweep.js';
import { ApiProcess } from '../support/api-process.js';
import type { TestClient } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sendForm } from '../support/form-sender.js';
import { formOf } from '../support/hostile-files.js';

const ROUNDS = 6;
const AT_ONCE = 8;

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({
    settings: { rateLimitSessionPerMinute: 100_000, rateLimitUploadPerMinute: 100_000 },
  });
  client = await t.client({ rules: false });
});

afterAll(async () => {
  await t.close();
});

async function sessions(count: number): Promise<string[]> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
  const api = t.api.asOperator(officer);
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      api.post('/operator/kyc-sessions').send({ flowKey: 'onboarding-pf' }).expect(201),
    ),
  );
  return answers.map(({ body }) => (body as { data: { sessionId: string } }).data.sessionId);
}

async function files(part: 'kept' | 'incoming'): Promise<string[]> {
  const folder = join(t.settings.dataDir, 'artifacts', part);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

it(
  'whenever the process is killed, what was acknowledged is there, and after the sweep nothing else is',
  async () => {
    const acknowledged: string[] = [];
    const killed = new Set<number>();
    let cutOff = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const links = await sessions(AT_ONCE);
      const api = await ApiProcess.start(t, {
        DATA_DIR: t.settings.dataDir,
        RATE_LIMIT_SESSION_PER_MINUTE: '100000',
        RATE_LIMIT_UPLOAD_PER_MINUTE: '100000',
        RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      });
      const state = { alive: true };
      const senders = links.map(async (id) => {
        for (let sent = 0; state.alive && sent < 18; sent += 1) {
          const raw = { width: 400, height: 300, channels: 3 } as const;
          const file = await sharp(randomBytes(400 * 300 * 3), { raw })
            .png()
            .toBuffer();
          try {
            const { status, body } = await sendForm(
              `${api.url}/kyc-sessions/${id}/upload`,
              client,
              formOf({ name: '', file }),
            );
            expect(status).toBe(201);
            acknowledged.push((body['data'] as { artifactId: string }).artifactId);
          } catch (error) {
            // The kill is what cuts it off; anything before that is a fault.
            if (!killed.has(round)) throw error;
            cutOff += 1;
            return;
          }
        }
      });
      // Another moment each round, from the first start of the reading process on.
      await sleep(900 + round * 170);
      state.alive = false;
      killed.add(round);
      await api.kill();
      await Promise.all(senders);
    }
    const swept = await t.app.get(ArtifactSweep).sweep(0);
    const { rows } = await t.owner.query<{
      id: string;
      storage_key: string;
      view_key: string;
      state: string;
    }>('SELECT id, storage_key, view_key, state FROM artifacts');
    process.stdout.write(
      `${ROUNDS} kills: ${acknowledged.length} acknowledged, ${cutOff} cut off, ${rows.length} artifacts, swept ${JSON.stringify(swept)}\n`,
    );
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(cutOff).toBeGreaterThan(0);
    expect(swept).toMatchObject({ lost: 0, erased: 0 });
    expect(await files('incoming')).toEqual([]);
    expect((await files('kept')).sort()).toEqual(
      rows.flatMap((row) => [row.storage_key, row.view_key]).sort(),
    );
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['STORED']));
    const known = new Set(rows.map(({ id }) => `art_${id.replaceAll('-', '')}`));
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
    const service = t.app.get(ArtifactsService);
    for (const { id } of rows) {
      const artifact = await service.get(client.organisationId, id);
      let bytes = 0;
      for await (const chunk of await service.content(artifact, 'original')) bytes += chunk.length;
      expect(bytes).toBe(artifact.sizeBytes);
      const subject = { organisationId: client.organisationId, type: 'artifact', id } as const;
      expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
    }
  },
  8 * 60_000,
);
