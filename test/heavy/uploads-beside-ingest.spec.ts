import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';
import { sendForm } from '../support/form-sender.js';
import { formOf } from '../support/hostile-files.js';
import { ingestTimes as ingestTimesOf, p99 } from '../support/ingest-times.js';

const PER_SECOND = Number(process.env['VIGIA_INGEST_PER_SECOND'] ?? 100);
const SECONDS = Number(process.env['VIGIA_SECONDS'] ?? 20);
const AT_ONCE = 20;
const MIB = 1_024 * 1_024;

/** Makes applications and sessions; what is measured is the process beside it. */
let t: TestApp;
let service: ApiProcess;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  client = await t.client();
  service = await ApiProcess.start(t, { ROLE: 'all', RATE_LIMIT_PUBLIC_PER_MINUTE: '100000' });
}, 120_000);

afterAll(async () => {
  await service.stop();
  await t.close();
});

/** Where the files of a new session go. */
async function aSession(): Promise<string> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
  const { body } = await t.api
    .asOperator(officer)
    .post('/operator/kyc-sessions')
    .send({ flowKey: 'onboarding-pf' })
    .expect(201);
  return `${service.url}/kyc-sessions/${(body as { data: { sessionId: string } }).data.sessionId}/upload`;
}

/** A photo of nearly 10 MiB: noise does not compress. */
async function aLargePhoto(): Promise<Buffer> {
  const [width, height] = [2_150, 1_600];
  const raw = { width, height, channels: 3 } as const;
  const photo = await sharp(randomBytes(width * height * 3), { raw })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  expect(photo.length).toBeGreaterThan(9 * MIB);
  expect(photo.length).toBeLessThan(10 * MIB);
  return photo;
}

const ingestTimes = (): Promise<number[]> =>
  ingestTimesOf({ url: service.url, client, perSecond: PER_SECOND, seconds: SECONDS });

it(
  'twenty uploads of 10 MiB at a time leave ingest as it was',
  async () => {
    const photos = await Promise.all(Array.from({ length: 4 }, aLargePhoto));
    await ingestTimes(); // warm
    const alone = p99(await ingestTimes());
    // A session takes 60 MiB.
    const places = await Promise.all(Array.from({ length: AT_ONCE * 4 }, aSession));
    const uploaded = { running: true, count: 0 };
    const uploaders = Array.from({ length: AT_ONCE }, async () => {
      for (let place = places.pop(); place !== undefined; place = places.pop()) {
        for (const file of photos) {
          if (!uploaded.running) return;
          const { status } = await sendForm(place, client, formOf({ name: '', file }));
          expect(status).toBe(201);
          uploaded.count += 1;
        }
      }
    });
    const beside = p99(await ingestTimes());
    uploaded.running = false;
    await Promise.all(uploaders);
    process.stdout.write(
      `ingest p99 at ${PER_SECOND}/s: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${uploaded.count} uploads ` +
        `of ${AT_ONCE} at a time (factor ${(beside / alone).toFixed(2)})\n`,
    );
    expect(uploaded.count).toBeGreaterThanOrEqual(AT_ONCE);
    expect(beside / alone).toBeLessThan(1.5);
  },
  10 * 60_000,
);
