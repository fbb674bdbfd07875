import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';
import { formOf } from '../support/hostile-files.js';
import { ingestTimes as ingestTimesOf, p99 } from '../support/ingest-times.js';
import { figure } from '../support/figure.js';
import { median } from '../support/timing.js';

const PER_SECOND = Number(process.env['VIGIA_INGEST_PER_SECOND'] ?? 100);
const SECONDS = Number(process.env['VIGIA_SECONDS'] ?? 10);
// By turns, and the middle one counts: a p99 is made by the few moments in which a machine did something else.
const ROUNDS = 7;
const AT_ONCE = 20;
const MIB = 1_024 * 1_024;

interface Uploaded {
  readonly count: number;
  /** How many answers had another status than 201. */
  readonly refused: Readonly<Record<string, number>>;
}

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

/** Twenty uploads at a time by another process. */
function startUploads(
  places: readonly string[],
  photos: readonly Buffer[],
): { stop: () => Promise<Uploaded> } {
  const child = fork(path.resolve(import.meta.dirname, '../support/upload-sender.mjs'), [], {
    serialization: 'advanced',
    execArgv: [],
  });
  const forms = photos.map((file) => formOf({ name: '', file }));
  child.send({
    places,
    headers: { 'x-client-id': client.clientId, 'x-client-secret': client.clientSecret },
    contentType: forms[0]?.contentType,
    bodies: forms.map(({ body }) => body),
    atOnce: AT_ONCE,
  });
  return {
    stop: async () => {
      child.send('stop');
      const [uploaded] = (await once(child, 'message')) as [Uploaded];
      return uploaded;
    },
  };
}

it(
  'twenty uploads of 10 MiB at a time leave ingest as it was',
  async () => {
    const photos = await Promise.all(Array.from({ length: 4 }, aLargePhoto));
    await ingestTimes(); // warm
    const alone: number[] = [];
    const beside: number[] = [];
    let uploaded = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      // A session takes 60 MiB.
      const places = await Promise.all(Array.from({ length: AT_ONCE * 2 }, aSession));
      alone.push(p99(await ingestTimes()));
      const uploads = startUploads(places, photos);
      beside.push(p99(await ingestTimes()));
      const { count, refused } = await uploads.stop();
      expect(refused).toEqual({});
      uploaded += count;
    }
    const factor = median(beside) / median(alone);
    figure(
      `ingest p99 at ${PER_SECOND}/s, median of ${ROUNDS} rounds: ${median(alone).toFixed(1)} ms alone, ` +
        `${median(beside).toFixed(1)} ms beside ${uploaded} uploads of ${AT_ONCE} at a time (factor ${factor.toFixed(2)}); ` +
        `rounds ${alone.map((ms, i) => `${ms.toFixed(0)}/${beside[i]?.toFixed(0)}`).join(' ')}`,
    );
    expect(uploaded).toBeGreaterThanOrEqual(AT_ONCE);
    expect(factor).toBeLessThan(1.5);
  },
  10 * 60_000,
);
