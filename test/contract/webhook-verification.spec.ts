import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  verifySignatureHeader,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookEventData,
} from '#vigia/client';
import { newWebhookSecret, signatureHeaders } from '../../src/features/webhooks/domain/signature.js';
import type { EventData, EventEnvelope } from '../../src/features/webhooks/index.js';
import { needs, type Program, withOtherLanguages } from '../support/needs.js';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: string;
  readonly webhookSignature: string;
  readonly signatureHeader: string;
  /** The receiver's clock, in seconds. */
  readonly now: number;
  readonly body: string;
  readonly valid: { readonly standard: boolean; readonly header: boolean };
}

const folder = fileURLToPath(new URL('../../docs/webhooks', import.meta.url));
const { vectors } = JSON.parse(readFileSync(path.join(folder, 'test-vectors.json'), 'utf8')) as {
  vectors: readonly Vector[];
};
const scratch = mkdtempSync(path.join(tmpdir(), 'vigia-snippets-'));

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

const headersOf = (vector: Vector): Record<string, string> => ({
  'webhook-id': vector.id,
  'webhook-timestamp': vector.timestamp,
  'webhook-signature': vector.webhookSignature,
  'X-Vigia-Signature': vector.signatureHeader,
});

const accepted = (verify: () => unknown): boolean => {
  try {
    verify();
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
};

const [vector] = vectors;
if (!vector) throw new Error('there are no vectors');
const request = { headers: headersOf(vector), body: vector.body, secret: vector.secret };

describe('the verification helper for Node', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    'agrees with the vector: %s',
    (_, vector) => {
      const { secret, body } = vector;
      const headers = headersOf(vector);
      const now = 1_000 * vector.now;
      expect({
        standard: accepted(() => verifyWebhook({ headers, body, secret, now })),
        header: accepted(() => verifySignatureHeader({ headers, body, secret })),
      }).toEqual(vector.valid);
    },
  );

  const now = 1_000 * vector.now;

  it('takes headers of Fetch and of Node, bodies as bytes and as text, and one secret or two', () => {
    const other = newWebhookSecret();
    const headers = new Headers(request.headers);
    const body = Buffer.from(vector.body);
    const event = verifyWebhook({ headers, body, secret: [other, vector.secret], now });
    expect(event).toEqual(JSON.parse(vector.body));
    expect(verifySignatureHeader({ headers, body, secret: [other, vector.secret] })).toEqual(event);
    const repeated = { ...request.headers, 'webhook-id': [vector.id] };
    expect(verifyWebhook({ ...request, headers: repeated, now })).toEqual(event);
  });

  it('accepts what the service signs, with either secret of a rotation, and agrees with a ready library', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const body = Buffer.from(vector.body);
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = signatureHeaders('Acme', { id: vector.id, timestampSeconds, body }, [current, previous]);
    for (const secret of [current, previous]) {
      const event = verifyWebhook({ headers, body, secret });
      expect(new Webhook(secret).verify(body, headers)).toEqual(event);
      expect(verifySignatureHeader({ headers, body, secret, serviceName: 'Acme' })).toEqual(event);
    }
  });

  it.each<[string, Partial<Parameters<typeof verifyWebhook>[0]>, string]>([
    ['without a secret', { secret: '' }, 'SECRET_MISSING'],
    ['without secrets', { secret: [] }, 'SECRET_MISSING'],
    ['without anything that is a secret', { secret: undefined as never }, 'SECRET_MISSING'],
    ['of which the body was parsed', { body: JSON.parse(request.body) as never }, 'BODY_PARSED'],
    ['without the headers', { headers: {} }, 'HEADER_MISSING'],
    [
      'with a timestamp of words',
      { headers: { ...request.headers, 'webhook-timestamp': 'now' } },
      'TIMESTAMP_INVALID',
    ],
    ['when it is old', { now: now + 301_000 }, 'TIMESTAMP_TOO_OLD'],
    ['when it is from the future', { now: now - 301_000 }, 'TIMESTAMP_TOO_NEW'],
    [
      'when a tolerance of its own is passed',
      { now: now + 11_000, toleranceSeconds: 10 },
      'TIMESTAMP_TOO_OLD',
    ],
    ['when the body was changed', { body: '{}' }, 'SIGNATURE_MISMATCH'],
  ])('says why it refuses a request %s', (_, change, code) => {
    const refusal = (): unknown => verifyWebhook({ ...request, now, ...change });
    expect(refusal).toThrow(WebhookVerificationError);
    expect(refusal).toThrow(`webhook refused: ${code}`);
  });

  it('refuses a signed body that is no JSON', () => {
    const secret = newWebhookSecret();
    const message = { id: 'evt_1', timestampSeconds: Math.floor(now / 1_000), body: Buffer.from('{') };
    const headers = signatureHeaders('Vigia', message, [secret]);
    expect(() => verifyWebhook({ headers, body: '{', secret, now })).toThrow('BODY_INVALID');
  });

  it('has types into which everything fits that the service sends', () => {
    // Compiled, not run: an event of the service is an event of the helper.
    const fits = (sent: EventEnvelope): WebhookEvent => sent;
    expect(typeof fits).toBe('function');
    // And so is each member of its data.
    type Untold = {
      [T in keyof EventData]: Exclude<keyof EventData[T], keyof WebhookEventData[T]>;
    }[keyof EventData];
    const all: [Untold] extends [never] ? 'told' : never = 'told';
    expect(all).toBe('told');
  });
});

interface Language {
  readonly name: string;
  readonly program: Program;
  readonly build?: readonly [string, ...string[]];
  readonly run: readonly [string, ...string[]];
}

const source = (name: string): string => path.join(folder, name);
const built = (name: string): string => path.join(scratch, name);
const languages: readonly Language[] = [
  { name: 'Python', program: 'python3', run: ['python3', source('verify.py')] },
  { name: 'PHP', program: 'php', run: ['php', '-n', source('verify.php')] },
  {
    name: 'Go',
    program: 'go',
    build: ['go', 'build', '-o', built('verify-go'), source('verify.go')],
    run: [built('verify-go')],
  },
  {
    name: 'Java',
    program: 'javac',
    build: ['javac', '-d', scratch, source('VerifyWebhook.java')],
    run: ['java', '-cp', scratch, 'VerifyWebhook'],
  },
  {
    name: 'C#',
    program: 'mcs',
    build: ['mcs', `-out:${built('verify.exe')}`, source('VerifyWebhook.cs')],
    run: ['mono', built('verify.exe')],
  },
];

const lines = vectors.map(({ name, secret, id, timestamp, webhookSignature, signatureHeader, now, body }) =>
  [
    name,
    secret,
    id,
    timestamp,
    webhookSignature,
    signatureHeader,
    now,
    Buffer.from(body).toString('base64'),
  ].join('\t'),
);

function run([command, ...args]: readonly [string, ...string[]], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, GOCACHE: path.join(scratch, 'go-cache'), GO111MODULE: 'off' };
    const child = execFile(command, args, { timeout: 120_000, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}: ${stderr}${stdout}`));
      else resolve(stdout);
    });
    child.stdin?.end(input);
  });
}

describe('the snippets in docs/webhooks', () => {
  it.each([
    ['python', 'verify.py'],
    ['go', 'verify.go'],
    ['java', 'VerifyWebhook.java'],
    ['php', 'verify.php'],
    ['csharp', 'VerifyWebhook.cs'],
  ])('shown in docs/webhooks.md are those of the files: %s', (language, file) => {
    const page = readFileSync(path.join(folder, '../webhooks.md'), 'utf8');
    const fence = '`'.repeat(3);
    const shown = page.split(`${fence}${language}\n`)[1]?.split(fence)[0] ?? '';
    const written = new Set(
      readFileSync(source(file), 'utf8')
        .split('\n')
        .map((line) => line.trim()),
    );
    const lines = shown.split('\n').map((line) => line.trim());
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => line !== '' && !written.has(line))).toEqual([]);
  });

  for (const { name, program, build, run: command } of withOtherLanguages ? languages : []) {
    needs(program).it(
      `agree with every vector: ${name}`,
      async () => {
        if (build) await run(build);
        const output = await run(command, `${lines.join('\n')}\n`);
        const answers = output.trim().split(/\r?\n/);
        expect(answers).toEqual(
          vectors.map(({ name, valid }) => `${name}\t${valid.standard}\t${valid.header}`),
        );
        for (const wrong of [`"${request.secret}"`, ` ${request.secret}`, `v1,${request.secret}`]) {
          const refusal = await run(command, `${lines[0]!.replace(request.secret, wrong)}\n`).catch(String);
          expect(refusal).toContain('the signing secret is not as it was shown');
          expect(refusal).not.toContain(request.secret);
        }
      },
      150_000,
    );
  }
});
