import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/api.js';
import { figure } from '../support/figure.js';

const GUESSES = Number(process.env['VIGIA_GUESSES'] ?? 100_000);
/** Links that are there to be hit. */
const LINKS = 200;
const AT_ONCE = 32;
const PER_MINUTE = 60;

let t: TestApp;
let client: TestClient;

beforeAll(async () => {
  t = await startTestApp({ settings: { role: 'api' } });
  client = await t.client();
}, 60_000);

afterAll(async () => {
  await t.close();
});

async function links(): Promise<string[]> {
  const officer = await t.operator({ roles: ['COMPLIANCE_OFFICER'], organisationId: client.organisationId });
  const api = t.api.asOperator(officer);
  const made: string[] = [];
  for (let i = 0; i < LINKS; i += 1) {
    const { body } = await api.post('/operator/kyc-sessions').send({ flowKey: 'onboarding-pf' }).expect(201);
    made.push((body as { data: { sessionId: string } }).data.sessionId);
  }
  return made;
}

/** A new id; or that of a link with its last characters guessed, as somebody would who has seen most of it. */
function aGuess(known: readonly string[], i: number): string {
  if (i % 4 !== 0) return `ses_${randomBytes(32).toString('base64url')}`;
  const link = known[i % known.length] ?? '';
  return link.slice(0, -8) + randomBytes(6).toString('base64url');
}

/** The calls for a guessed id, in turn; each answers the same when there is no such session. */
const CALLS = [
  ['GET', 'public'],
  ['POST', 'complete'],
  ['POST', 'upload'],
] as const;

const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });

function call(url: string, method: string, from: string): Promise<{ status: number; seconds: number }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
    const request = http.request(url, { agent, method, headers }, (response) => {
      const seconds = Number(response.headers['retry-after'] ?? 0);
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, seconds });
      });
    });
    request.once('error', reject);
    request.end(method === 'POST' ? '{"userData":{}}' : undefined);
  });
}

/** Sends all guesses and counts the answers by status. */
async function guess(
  url: string,
  known: readonly string[],
  from: (i: number) => string,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const guesser = async (): Promise<void> => {
    for (let i = next++; i < GUESSES; i = next++) {
      const [method, what] = CALLS[i % CALLS.length] ?? CALLS[0];
      const { status, seconds } = await call(
        `${url}/kyc-sessions/${aGuess(known, i)}/${what}`,
        method,
        from(i),
      );
      if (status === 429) expect(seconds).toBeGreaterThan(0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guesser));
  return statuses;
}

it(
  `${GUESSES} guesses of session ids hit nothing and are slowed down, while others come through`,
  async () => {
    const known = await links();
    // As behind a proxy, which says from where a call comes.
    const api = await ApiProcess.start(t, {
      TRUST_PROXY: '127.0.0.0/8',
      RATE_LIMIT_PUBLIC_PER_MINUTE: String(PER_MINUTE),
    });
    try {
      const startedAt = performance.now();
      const [attack] = await Promise.all([
        guess(api.url, known, () => '198.51.100.7'),
        // Somebody else with a link, from another address.
        call(`${api.url}/kyc-sessions/${known[0] ?? ''}/public`, 'GET', '203.0.113.9').then(({ status }) => {
          expect(status).toBe(200);
        }),
      ]);
      const minutes = (performance.now() - startedAt) / 60_000;
      expect([...attack.keys()].sort()).toEqual([404, 429]);
      expect(attack.get(404) ?? 0).toBeLessThanOrEqual(Math.ceil(PER_MINUTE * (1 + minutes)));
      // Nor from as many addresses as there are guesses.
      const spread = await guess(api.url, known, (i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
      expect([...spread.keys()]).toEqual([404]);
      const seconds = (performance.now() - startedAt) / 1_000;
      figure(
        `${GUESSES} guesses from one address: ${attack.get(404) ?? 0} looked up, ${attack.get(429) ?? 0} refused; ` +
          `${GUESSES} from as many addresses: none hit (${seconds.toFixed(0)} s)`,
      );
    } finally {
      agent.destroy();
      await api.stop();
    }
  },
  15 * 60_000,
);
