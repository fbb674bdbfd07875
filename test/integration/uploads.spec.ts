import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { renderSVG } from 'uqr';
import { AuditTrail } from '../../src/features/audit/index.js';
import { OrganisationSettingsService } from '../../src/features/auth/index.js';
import { CustomerIdentificationService } from '../../src/features/customers/index.js';
import { system, UnitOfWork } from '../../src/platform/database/index.js';
import { publicId } from '../../src/platform/kernel/index.js';
import { SubjectKeys } from '../../src/platform/privacy/index.js';
import { Quotas } from '../../src/platform/quotas/index.js';
import { MetricsRegistry } from '../../src/platform/telemetry/index.js';
import { ArtifactsService } from '../../src/features/uploads/index.js';
import { ArtifactSweepService } from '../../src/features/uploads/jobs/artifact-sweep.service.js';
import type { TestClient, TestOperator } from '../support/api.js';
import { again, later, laterBlock, promised, someInFirst } from '../support/needs.js';
import { bindAnew } from '../support/tamper.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { letAnybodyErase } from '../support/approvals.js';
import { anArtifact } from '../support/artifacts.js';
import { eventually } from '../support/eventually.js';
import { sendForm, type FormAnswer } from '../support/form-sender.js';
import { formOf, HEIC, hostileFiles, hostileForms, pdfBytes } from '../support/hostile-files.js';
import { aDocument, harmlessPdfs, hostilePdfs } from '../support/made-pdfs.js';
import { aPicture } from '../support/files.js';
import { expectWithin, isHeavy } from '../support/timing.js';
import { TestUploadsModule } from '../support/upload-route.js';
import { LABELS, validFiles } from '../support/valid-files.js';

const MIB = 1_024 * 1_024;

let t: TestApp;
let client: TestClient;
let operator: TestOperator;

beforeAll(async () => {
  t = await startTestApp({
    modules: [TestUploadsModule],
    settings: { rateLimitSessionPerMinute: 100_000, rateLimitUploadPerMinute: 100_000 },
  });
  client = await t.client({ rules: false });
  operator = await t.operator({ roles: ['ANALYST'], organisationId: client.organisationId });
  await letAnybodyErase(t);
});

afterAll(async () => {
  await t.close();
});

/** Every file below the data folder, staged or kept. */
async function files(part: 'incoming' | 'kept' | '' = ''): Promise<string[]> {
  const folder = join(t.settings.dataDir, 'artifacts', part);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** A session that waits for files; the way they really come. */
async function aSession(): Promise<string> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
  const answer = await t.api
    .asOperator(officer)
    .post('/operator/kyc-sessions')
    .send({ flowKey: 'onboarding-pf' })
    .expect(201);
  const { data } = answer.body as { data: { sessionId: string } };
  return `${t.url}/kyc-sessions/${data.sessionId}/upload`;
}

const artifacts = async (): Promise<number> => {
  const { rows } = await t.owner.query<{ count: number }>('SELECT count(*)::int AS count FROM artifacts');
  return rows[0]?.count ?? -1;
};

const upload = (
  sent: Parameters<typeof formOf>[0],
  owner: string = randomUUID(),
  customer = 'none',
): Promise<FormAnswer> => sendForm(`${t.url}/test-uploads/${owner}/${customer}`, client, formOf(sent));

const refusals = async (code: string): Promise<number> => {
  const text = await t.app.get(MetricsRegistry).registry.metrics();
  return Number(new RegExp(`vigia_uploads_total\\{result="${code}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

const aCustomer = async (): Promise<string> => {
  const [identified] = await t.app.get(CustomerIdentificationService).identify([
    {
      organisationId: client.organisationId,
      clientAppId: client.id,
      taxId: null,
      externalCustomerId: randomUUID(),
      name: null,
      birthDate: null,
      by: 'OPERATOR',
      requestId: null,
      correlationId: 'test',
      traceparent: null,
    },
  ]);
  if (!identified) throw new Error('nobody was identified');
  return identified.customerId;
};

type Shown = Promise<{ status: number; body: Buffer; headers: Record<string, string> }>;

const look = (id: string, query = ''): Shown =>
  t.api.asOperator(operator).get(`/operator/artifacts/${id}/content${query}`).buffer(true);

const WHY = 'The court has asked for the file as it came, in case 7.';
const original = (id: string, body: object = { reason: WHY }): Shown =>
  t.api.asOperator(operator).post(`/operator/artifacts/${id}/original`).send(body).buffer(true);

// Nothing is ever left on the way in.
afterEach(async () => {
  expect(await files('incoming')).toEqual([]);
});

describe('an upload', () => {
  again(
    'is accepted if it is what phones, scanners and programs make, and nothing of it is readable on the disk',
    async () => {
      // ASVS 5.3.1, 5.3.2
      const valid = [...(await validFiles()), ...harmlessPdfs().filter((_, i) => i % 40 === 0)];
      const findings: string[] = [];
      let session = await aSession();
      // The specs beside the sources show what is taken; here is the way to them.
      for (const [i, sent] of someInFirst(valid, 8).entries()) {
        // A session takes no more than twenty.
        if (i % 15 === 14) session = await aSession();
        const { status, body } = await sendForm(session, client, formOf(sent));
        if (status !== 201) findings.push(`${sent.name}: ${status} ${JSON.stringify(body.error)}`);
      }
      expect(findings).toEqual([]);
      for (const path of await files('kept')) {
        const start = (await readFile(path)).subarray(0, 64).toString('latin1');
        expect(start).not.toMatch(/JFIF|PNG|WEBP|%PDF/);
      }
    },
  );

  it('is judged by its content, whatever name and type a program gives it', async () => {
    const answers = [];
    for (const [i, label] of LABELS.entries()) {
      const file = await aPicture(64, 64, 300 + i)
        .jpeg()
        .toBuffer();
      const { status, body } = await upload({ name: '', file, ...label });
      answers.push([label, status, body['mimeType']]);
    }
    expect(answers).toEqual(LABELS.map((label) => [label, 201, 'image/jpeg']));
  });

  it('of a PDF that only speaks of scripts, or opens at a page, is taken', async () => {
    const options = {
      catalogue: '/OpenAction [3 0 R /XYZ null null 0]',
      info: '/Title (TypeScript/JavaScript)',
    };
    const { status, body } = await upload({ name: '', file: aDocument([], options) });
    expect([status, body['pages']]).toEqual([201, 1]);
  });

  it('comes back as it was, and for looking at without its metadata', async () => {
    // ASVS 3.2.1, 5.4.1, 5.4.2
    const file = await aPicture(4_000, 3_000, 7)
      .withExif({ IFD0: { Make: 'CANARY-CAMERA' }, IFD3: { GPSLatitude: '23/1 33/1 0/1' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload({ name: '', file, filename: 'rg.jpg', type: 'image/jpeg' });
    expect(body).toMatchObject({
      mimeType: 'image/jpeg',
      width: 4_000,
      height: 3_000,
      sizeBytes: file.length,
    });
    const id = body.artifactId ?? '';
    const asItCame = await original(id);
    expect(asItCame.status).toBe(200);
    expect(asItCame.body.equals(file)).toBe(true);
    expect(asItCame.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="${id}.jpg"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; sandbox`,
      'cache-control': 'no-store',
    });
    const view = await look(id);
    expect(await sharp(view.body).metadata()).toMatchObject({ format: 'jpeg', width: 2_000, height: 1_500 });
    expect(view.body.includes('CANARY-CAMERA')).toBe(false);
    const trail = await t.app
      .get(AuditTrail)
      .readEntries({ organisationId: client.organisationId, type: 'artifact', id: body.uuid ?? '' });
    expect(trail.map(({ action }) => action)).toEqual([
      'artifact.stored',
      'artifact.viewed',
      'artifact.viewed',
    ]);
    const verdict = await t.api
      .asOperator(await t.operator({ roles: ['AUDITOR'], organisationId: client.organisationId }))
      .get(`/operator/audit/trails/artifact/${id}`)
      .expect(200);
    expect(verdict.body).toMatchObject({ data: { status: 'COMPLETE' } });
  });

  it('of a PDF is shown page by page as an image, and the bytes only to who says why', async () => {
    const document = new PDFDocument({ size: 'A4', margin: 0 });
    document.rect(0, 0, 600, 421).fill('#ff0000');
    document.addPage().rect(0, 0, 600, 842).fill('#0000ff');
    const file = await pdfBytes(document);
    const { body } = await upload({ name: '', file, filename: 'conta.pdf', type: 'application/pdf' });
    const id = body.artifactId ?? '';
    const colours = async (query: string): Promise<number[][]> => {
      const page = await look(id, query);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect(page.headers['content-disposition']).toBe(`attachment; filename="${id}.jpg"`);
      const { data, info } = await sharp(page.body).raw().toBuffer({ resolveWithObject: true });
      expect(Math.max(info.width, info.height)).toBeLessThanOrEqual(2_001);
      const at = (y: number): number[] =>
        [...data.subarray(y * info.width * 3 + 300, y * info.width * 3 + 303)].map((c) => Math.round(c / 85));
      return [at(100), at(info.height - 100)];
    };
    expect(await colours('')).toEqual([
      [3, 0, 0],
      [3, 3, 3],
    ]);
    expect(await colours('?page=2')).toEqual([
      [0, 0, 3],
      [0, 0, 3],
    ]);
    expect((await look(id, '?page=3')).status).toBe(400);
    expect((await look(id, '?rendition=original')).status).toBe(400);
    expect((await original(id, {})).status).toBe(400);
    const asItCame = await original(id);
    expect([asItCame.headers['content-type'], asItCame.body.equals(file)]).toEqual(['application/pdf', true]);
    const trail = await t.app
      .get(AuditTrail)
      .readEntries({ organisationId: client.organisationId, type: 'artifact', id: body.uuid ?? '' });
    expect(trail.slice(1).map(({ content }) => content)).toEqual([
      { rendition: 'view', page: 1 },
      { rendition: 'view', page: 2 },
      { rendition: 'original', sealedReason: expect.any(String) },
    ]);
    expect(JSON.stringify(trail)).not.toContain('court');
  });

  it('is shown only to a login with a second factor', async () => {
    const { id } = await anArtifact(t, client.organisationId);
    const weak = await t.operator({
      roles: ['ANALYST'],
      organisationId: client.organisationId,
      strong: false,
    });
    await t.api
      .asOperator(weak)
      .get(`/operator/artifacts/${publicId('art', id)}/content`)
      .expect(403);
  });

  it('is one artifact however often the same content comes to the same owner, also at once', async () => {
    const file = await aPicture(64, 64, 99).png().toBuffer();
    const owner = randomUUID();
    const before = (await files('kept')).length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload({ name: '', file }, owner)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.artifactId)).size).toBe(1);
    expect((await files('kept')).length - before).toBe(2);
    // Elsewhere it is another one.
    expect((await upload({ name: '', file })).status).toBe(201);
  });

  later('is the last one after twenty, or 60 MiB', async () => {
    // ASVS 2.3.2
    const owner = randomUUID();
    const pictures = await Promise.all(
      Array.from({ length: 21 }, (_, i) =>
        aPicture(32, 32, 100 + i)
          .png()
          .toBuffer(),
      ),
    );
    for (const file of pictures.slice(0, 20)) {
      expect((await upload({ name: '', file }, owner)).status).toBe(201);
    }
    const kept = (await files('kept')).length;
    const refused = await upload({ name: '', file: pictures[20]! }, owner);
    expect([refused.status, refused.body.error?.code]).toEqual([413, 'TOO_MANY_ARTIFACTS']);
    expect((await upload({ name: '', file: pictures[0]! }, owner)).status).toBe(200);
    const heavy = randomUUID();
    await t.owner.query(
      `UPDATE artifacts SET owner_id = $1, size_bytes = $2
       WHERE id = (SELECT id FROM artifacts WHERE owner_id = $3 LIMIT 1)`,
      [heavy, 60 * MIB - 10, owner],
    );
    const full = await upload({ name: '', file: pictures[20]! }, heavy);
    expect([full.status, full.body.error?.code]).toEqual([413, 'TOO_MANY_ARTIFACTS']);
    expect((await files('kept')).length).toBe(kept);
  });
});

describe('a hostile upload', () => {
  const script = '/S /JavaScript /JS (app.alert\\(1\\))';
  it.each([
    ['a script after a remark', aDocument([`<< %>> stream\n${script} >>`]), 'ACTIVE_CONTENT', '/JavaScript'],
    [
      'a script after a string',
      aDocument([`<< /T (>> stream) ${script} >>`]),
      'ACTIVE_CONTENT',
      '/JavaScript',
    ],
    ['a program', aDocument(['<< /S /Launch /F (cmd.exe) >>']), 'ACTIVE_CONTENT', '/Launch'],
    [
      'an attachment',
      aDocument(['<< /Type /Filespec /EF << /F 4 0 R >> >>'], { catalogue: '/Names << >>' }),
      'ATTACHMENTS',
      '/EF',
    ],
    ['a password', aDocument([], { trailer: '/Encrypt 5 0 R' }), 'ENCRYPTED', '/Encrypt'],
    ['a structure that cannot be read', aDocument(['<< /T']), 'MALFORMED', 'structure'],
    ['HEIC', HEIC, 'HEIC', 'as JPEG'],
  ])('of %s is refused with what was found', async (_, file, finding, word) => {
    const { status, body } = await upload({ name: '', file });
    const [detail] = body.error?.details ?? [];
    expect([status, body.error?.code]).toEqual([415, 'FILE_TYPE_UNSUPPORTED']);
    expect(detail).toEqual({ path: 'file', code: finding, message: expect.stringContaining(word) });
  });

  promised('is refused with its reason, leaves nothing behind, and takes no memory', async () => {
    // ASVS 1.3.4, 5.2.2, 5.2.3, 15.2.2
    const pdfs = hostilePdfs().map(({ name, file, finding }) => ({
      name,
      file,
      code: finding === 'EXPANDS_TOO_MUCH' ? 'FILE_TOO_LARGE' : 'FILE_TYPE_UNSUPPORTED',
    }));
    const corpus = [...(await hostileFiles()), ...pdfs.filter((_, i) => i % 20 === 0)];
    const forms = await hostileForms();
    expect(corpus.length + forms.length).toBeGreaterThanOrEqual(120);
    const before = { rows: await artifacts(), files: (await files()).length };
    global.gc?.();
    const start = process.memoryUsage().rss;
    let peak = start;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const findings: string[] = [];
    const session = await aSession();
    // The specs beside the sources show what is refused; here is that nothing of it stays.
    for (const hostile of someInFirst(corpus, 10)) {
      const { status, body } = await sendForm(session, client, formOf(hostile));
      const code = body.error?.code;
      if (status < 400 || status > 499 || code !== hostile.code) {
        findings.push(`${hostile.name}: ${status} ${code ?? ''} ${body.error?.details[0]?.code ?? ''}`);
      }
    }
    for (const form of forms) {
      const { status, body } = await sendForm(session, client, form);
      const { path = '', code = '' } = body.error?.details[0] ?? {};
      const found = `${path} ${code}`;
      const isAsFound = form.detail === undefined || form.detail === found;
      if (status < 400 || status > 499 || body.error?.code !== form.code || !isAsFound) {
        findings.push(`${form.name}: ${status} ${body.error?.code ?? ''} ${found}`);
      }
    }
    clearInterval(watch);
    expect(findings).toEqual([]);
    expect({ rows: await artifacts(), files: (await files()).length }).toEqual(before);
    if (!isHeavy) return;
    process.stderr.write(
      `hostile uploads: ${corpus.length + forms.length}, memory +${Math.round((peak - start) / MIB)} MiB\n`,
    );
    expect((peak - start) / MIB).toBeLessThan(64);
  });

  later('that never ends is cut off', async () => {
    // ASVS 5.2.1
    const before = await files();
    const refused = await refusals('FILE_TOO_LARGE');
    const head =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';
    const status = await new Promise<number | string>((resolve) => {
      const call = request(`${t.url}/test-uploads/${randomUUID()}/none`, {
        method: 'POST',
        agent: false,
        headers: {
          'content-type': 'multipart/form-data; boundary=b',
          'x-client-id': client.clientId,
          'x-client-secret': client.clientSecret,
        },
      });
      const chunk = Buffer.alloc(64 * 1_024, 0x11);
      call.write(head);
      call.write(Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
      const more = (): void => {
        while (!call.destroyed && call.write(chunk));
      };
      call.on('drain', more);
      call.once('response', (response) => {
        resolve(response.statusCode ?? 0);
        call.destroy();
      });
      call.once('error', (error) => {
        resolve(error.message);
      });
      more();
    });
    // A sender that goes on sending may be cut off before it reads the answer.
    expect([413, 'write EPIPE', 'write ECONNRESET', 'read ECONNRESET', 'socket hang up']).toContain(status);
    expect(await refusals('FILE_TOO_LARGE')).toBe(refused + 1);
    expect(await files()).toEqual(before);
  });

  it('or any other that hangs up in the middle leaves nothing', async () => {
    // ASVS 1.4.3
    const before = { rows: await artifacts(), files: await files() };
    const hungUp = await refusals('REQUEST_TIMEOUT');
    const { body, contentType } = formOf({
      name: '',
      file: await aPicture(2_000, 2_000, 5).png().toBuffer(),
    });
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const call = request(`${t.url}/test-uploads/${randomUUID()}/none`, {
          method: 'POST',
          agent: false,
          headers: {
            'content-type': contentType,
            'content-length': body.length,
            'x-client-id': client.clientId,
            'x-client-secret': client.clientSecret,
            // A connection that is reset at once may be gone before the service has read its head; so it says that it has.
            expect: '100-continue',
          },
        });
        const closed = new Promise((resolve) => call.once('close', resolve));
        call.on('error', () => undefined);
        call.flushHeaders();
        await once(call, 'continue');
        call.write(body.subarray(0, Math.floor((body.length * (i + 1)) / 10)), () => call.destroy());
        await closed;
      }),
    );
    const givenUp = async (): Promise<boolean> => (await refusals('REQUEST_TIMEOUT')) === hungUp + 8;
    await eventually('all are given up', givenUp);
    expect({ rows: await artifacts(), files: await files() }).toEqual(before);
  });
});

laterBlock('a slow sender', () => {
  let slow: TestApp;
  let sender: TestClient;

  beforeAll(async () => {
    slow = await startTestApp({
      modules: [TestUploadsModule],
      settings: {
        requestTimeoutMs: 500,
        uploadMinBytesPerSecond: 8_000,
        uploadRateWindowMs: 1_000,
        uploadTimeoutMs: 4_500,
      },
    });
    sender = await slow.client({ rules: false });
  });

  afterAll(async () => {
    await slow.close();
  });

  interface Slowly {
    readonly path?: string;
    readonly contentType: string;
    readonly body: Buffer;
    readonly step: number;
    readonly everyMs: number;
  }

  /** Sends so many bytes at a time; resolves with the status, and how long it took. */
  async function sendSlowly({ path, contentType, body, step, everyMs }: Slowly): Promise<[number, number]> {
    const startedAt = performance.now();
    const call = request(`${slow.url}${path ?? `/test-uploads/${randomUUID()}/none`}`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': contentType,
        'content-length': body.length,
        'x-client-id': sender.clientId,
        'x-client-secret': sender.clientSecret,
      },
    });
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.on('error', () => undefined);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent < body.length) call.write(body.subarray(sent, sent + step));
      else clearInterval(timer);
      sent += step;
    }, everyMs);
    const [response] = await answered;
    clearInterval(timer);
    call.destroy();
    return [response.statusCode ?? 0, performance.now() - startedAt];
  }

  it('is borne as long as the file keeps coming, beyond the limit of other requests', async () => {
    const file = await aPicture(640, 480, 3).png({ compressionLevel: 0 }).toBuffer();
    const step = Math.ceil(file.length / 30);
    const [status, ms] = await sendSlowly({ ...formOf({ name: '', file }), step, everyMs: 80 });
    expect(status).toBe(201);
    expect(ms).toBeGreaterThan(4 * 500);
  });

  promised(
    'is given up when it trickles, or never comes to an end; a call without a file is, however steady',
    async () => {
      const file = await aPicture(1_500, 1_500, 4).png({ compressionLevel: 0 }).toBuffer();
      const form = formOf({ name: '', file });
      const [trickle, endless, other] = await Promise.all([
        sendSlowly({ ...form, step: 1, everyMs: 50 }),
        sendSlowly({ ...form, step: 8_000, everyMs: 100 }),
        sendSlowly({
          path: '/kyt/transactions/ingest',
          contentType: 'application/json',
          body: Buffer.alloc(60_000, ' '),
          step: 1_000,
          everyMs: 100,
        }),
      ]);
      expect([trickle[0], endless[0], other[0]]).toEqual([408, 408, 408]);
      // A window or two, the whole time, and the limit of every request; two seconds more for an answer to be read.
      expectWithin(6_000, 0, trickle[1]);
      expect(endless[1]).toBeGreaterThan(4_500);
      expectWithin(3_000, 0, other[1]);
      const left = await readdir(join(slow.settings.dataDir, 'artifacts', 'incoming')).catch(() => []);
      expect(left).toEqual([]);
    },
  );

  it('holds no more places than twenty, and none of those of others', async () => {
    const form = formOf({ name: '', file: await aPicture(64, 64, 5).png().toBuffer() });
    const owner = randomUUID();
    const path = `/test-uploads/${owner}/none`;
    // Fast enough for each window, and far too slow for the time that there is: each holds its place for all of that.
    const large = formOf({
      name: '',
      file: await aPicture(1_500, 1_500, 6).png({ compressionLevel: 0 }).toBuffer(),
    });
    const held = Array.from({ length: 20 }, () => sendSlowly({ ...large, path, step: 4_000, everyMs: 100 }));
    const one = slow.url + path;
    // An earlier request would take the place of one of the twenty.
    const incoming = join(slow.settings.dataDir, 'artifacts', 'incoming');
    await eventually('twenty files are coming in', async () => (await readdir(incoming)).length === 20);
    expect((await sendForm(one, sender, form)).status).toBe(503);
    expect((await sendForm(`${slow.url}/test-uploads/${randomUUID()}/none`, sender, form)).status).toBe(201);
    expect((await Promise.all(held)).map(([status]) => status)).toEqual(Array<number>(20).fill(408));
    expect((await sendForm(one, sender, form)).status).toBeLessThan(300);
  });

  it('holds no more places than its organisation has, however many links it sends to', async () => {
    const { organisationId } = sender;
    await slow.app.get(OrganisationSettingsService).setQuota(organisationId, 'uploadsInFlight', 3);
    const quotas = slow.app.get(Quotas);
    await eventually(
      'the limit is known',
      async () => (await quotas.limitsOf(organisationId)).uploadsInFlight === 3,
    );
    const form = formOf({ name: '', file: await aPicture(64, 64, 7).png().toBuffer() });
    const large = formOf({
      name: '',
      file: await aPicture(1_500, 1_500, 8).png({ compressionLevel: 0 }).toBuffer(),
    });
    const held = Array.from({ length: 7 }, () => sendSlowly({ ...large, step: 4_000, everyMs: 100 }));
    const incoming = join(slow.settings.dataDir, 'artifacts', 'incoming');
    await eventually('three files are coming in', async () => (await readdir(incoming)).length === 3);
    const one = `${slow.url}/test-uploads/${randomUUID()}/none`;
    expect((await sendForm(one, sender, form)).status).toBe(503);
    const neighbour = await slow.client({ rules: false });
    expect((await sendForm(one, neighbour, form)).status).toBe(201);
    const statuses = (await Promise.all(held)).map(([status]) => status);
    // A busy machine begins some of them when others were given up already.
    expect(new Set(statuses)).toEqual(new Set([408, 503]));
    expect((await sendForm(one, sender, form)).status).toBe(201);
  });
});

describe('a dossier', () => {
  it('gets the artifacts of its customer, and those that an operator links', async () => {
    const customer = await aCustomer();
    const file = await aPicture(64, 64, 200).png().toBuffer();
    const linked = await upload({ name: '', file }, randomUUID(), customer);
    expect(linked.body).toMatchObject({ customerId: customer, unlinkedReason: null });
    const stray = await upload(
      { name: '', file: await aPicture(64, 64, 201).png().toBuffer() },
      randomUUID(),
      randomUUID(),
    );
    expect(stray.body).toMatchObject({ customerId: null, unlinkedReason: 'CUSTOMER_NOT_FOUND' });
    const api = t.api.asOperator(operator);
    const link = (id: string) =>
      api
        .post(`/operator/artifacts/${stray.body.artifactId ?? ''}/link`)
        .send({ customerId: publicId('cus', id) });
    await link(randomUUID()).expect(404);
    for (let again = 0; again < 2; again += 1) {
      const { body } = (await link(customer).expect(200)) as { body: { data: object } };
      expect(body.data).toMatchObject({
        linked: true,
        customerId: publicId('cus', customer),
        unlinkedReason: null,
      });
    }
    await link(await aCustomer()).expect(409);
    const found = await t.app.get(ArtifactsService).listByCustomer(client.organisationId, customer);
    expect(found.map(({ id }) => id)).toEqual([linked.body.uuid, stray.body.uuid]);
  });

  it('shows when the same file is in the dossier of somebody else', async () => {
    const file = await aPicture(64, 64, 210).png().toBuffer();
    const [ours, theirs] = [await aCustomer(), await aCustomer()];
    const mine = await upload({ name: '', file }, randomUUID(), ours);
    const service = t.app.get(ArtifactsService);
    const artifact = await service.get(client.organisationId, mine.body.uuid ?? '');
    expect(await service.findSameContent(client.organisationId, [artifact], ours)).toEqual([]);
    const other = await upload({ name: '', file }, randomUUID(), theirs);
    expect(await service.findSameContent(client.organisationId, [artifact], ours)).toEqual([
      { artifactId: other.body.uuid, customerId: theirs },
    ]);
    // Another organisation's copy says nothing: its index is another one.
    const stranger = await t.client({ rules: false });
    await anArtifact(t, stranger.organisationId, { file });
    expect(await service.findSameContent(client.organisationId, [artifact], ours)).toHaveLength(1);
  });
});

describe('what was read', () => {
  later('tells a sharp picture from a blurred and a burnt-out one, and reads codes', async () => {
    const codes = await sharp(Buffer.from(renderSVG('VIGIA-TEST-0001', { pixelSize: 8 })))
      .png()
      .toBuffer();
    const facts = async (file: Buffer) => (await anArtifact(t, client.organisationId, { file })).facts;
    const sharpOne = await facts(await aPicture(1_200, 900, 220).jpeg().toBuffer());
    const blurred = await facts(await aPicture(1_200, 900, 221).blur(12).jpeg().toBuffer());
    const burnt = await facts(await aPicture(1_200, 900, 222).linear(1, 200).jpeg().toBuffer());
    expect(sharpOne?.quality?.sharpness).toBeGreaterThan(5 * (blurred?.quality?.sharpness ?? Infinity));
    expect(burnt?.quality?.glare).toBeGreaterThan(0.3);
    expect(sharpOne?.quality?.glare).toBeLessThan(0.3);
    expect((await facts(codes))?.barcodes).toEqual([{ format: 'QRCode', text: 'VIGIA-TEST-0001' }]);
  });
});

describe('the sweep', () => {
  it('removes files without an artifact and says which artifacts lost their file', async () => {
    const sweep = t.app.get(ArtifactSweepService);
    const artifact = await anArtifact(t, client.organisationId);
    const other = await anArtifact(t, client.organisationId);
    const [path = ''] = (await files('kept')).filter(
      (name) => name.includes(other.id) && name.endsWith('original'),
    );
    const orphan = join(dirname(path), `${randomUUID()}.original`);
    const fresh = join(dirname(path), `${randomUUID()}.original`);
    const left = join(t.settings.dataDir, 'artifacts', 'incoming', randomUUID());
    for (const name of [orphan, fresh, left]) await writeFile(name, 'x');
    // Half an hour, not two: shortly after midnight a row must not move further from the folder of its day than clocks may.
    const old = new Date(Date.now() - 30 * 60_000);
    for (const name of [orphan, left]) await utimes(name, old, old);
    await rm(path);
    await t.owner.query(
      `UPDATE artifacts SET created_at = created_at - interval '30 minutes' WHERE id = ANY($1)`,
      [[artifact.id, other.id]],
    );
    for (const { id } of [artifact, other]) await bindAnew(t, 'artifact', id);
    expect(await sweep.sweep(10 * 60_000)).toEqual({ orphans: 1, lost: 1, erased: 0, leftBehind: 1 });
    await expect(stat(orphan)).rejects.toThrow('ENOENT');
    await expect(stat(fresh)).resolves.toBeDefined();
    await rm(fresh);
    const service = t.app.get(ArtifactsService);
    expect((await service.get(client.organisationId, other.id)).state).toBe('LOST');
    expect((await service.get(client.organisationId, artifact.id)).state).toBe('STORED');
    expect((await look(publicId('art', other.id))).status).toBe(410);
    const subject = { organisationId: client.organisationId, type: 'artifact', id: other.id } as const;
    expect((await t.app.get(AuditTrail).trailStatus(subject)).status).toBe('COMPLETE');
  });

  it('removes the files of a person whose key was destroyed', async () => {
    const artifact = await anArtifact(t, client.organisationId);
    const uow = t.app.get(UnitOfWork);
    const keys = t.app.get(SubjectKeys);
    await uow.run(client.organisationId, (tx) => keys.requestErasure(tx, artifact.subject, randomUUID()));
    await uow.run(system('privacy.erasure'), (tx) => keys.destroyRequested(tx, 0));
    const mine = async (): Promise<string[]> =>
      (await files('kept')).filter((name) => name.includes(artifact.id));
    expect(await mine()).toHaveLength(2);
    expect(await t.app.get(ArtifactSweepService).sweep()).toMatchObject({ erased: 1 });
    expect(await mine()).toEqual([]);
    const found = await t.app.get(ArtifactsService).get(client.organisationId, artifact.id);
    expect(found.state).toBe('ERASED');
    expect((await original(publicId('art', artifact.id))).status).toBe(410);
  });

  later('is done by one at a time', async () => {
    const sweep = t.app.get(ArtifactSweepService);
    const lock = await t.owner.connect();
    await lock.query('SELECT pg_advisory_lock(7390090)');
    expect(await sweep.sweep()).toBeNull();
    await lock.query('SELECT pg_advisory_unlock(7390090)');
    lock.release();
    expect(await sweep.sweep()).not.toBeNull();
  });
});

describe('a stored file that was changed', () => {
  it('is never delivered as if it were whole', async () => {
    const artifact = await anArtifact(t, client.organisationId, {
      file: await aPicture(700, 700, 230).png({ compressionLevel: 0 }).toBuffer(),
    });
    const [path = ''] = (await files('kept')).filter(
      (name) => name.includes(artifact.id) && name.endsWith('original'),
    );
    const bytes = await readFile(path);
    const at = bytes.length - 100;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await expect(original(publicId('art', artifact.id))).rejects.toThrow(/aborted|hang up|socket|ECONNRESET/);
  });
});
