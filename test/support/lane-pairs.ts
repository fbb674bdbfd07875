import { Agent } from 'node:http';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from './answers.js';
import type { TestClient } from './api.js';
import type { TestApp } from './app.js';
import { aTransaction } from './builders.js';
import { send } from './raw-http.js';

/** One body with its headers, which the lane and the controller are both given. */
interface Sent {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Asks for the decision. */
  readonly waits: boolean;
}

const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, -0, 9007199254740991, '', ' ', 'x', '\u0000', '\ud800', '漢字'],
  ...['x'.repeat(5_000), '2026-02-30T00:00:00Z', '2026-11-20T12:00:00Z', '39053344705', '111.111.111-11'],
  ...['BRL', 'brl', 'XXX', 'PIX_TRANSFER', 'pix', [], [[]], [null], {}, { a: {} }, { __proto__: null, x: 1 }],
];
const PATHS: readonly (readonly string[])[] = [
  ...Object.keys(aTransaction()).map((name) => [name]),
  ...['name', 'cpfCnpj', 'country', 'accountReference', 'bank', 'unknown'].flatMap((name) => [
    ['origin', name],
    ['destination', name],
  ]),
  ...['deviceId', 'ipAddress', 'deviceid', 'anything'].map((name) => ['metadata', name]),
  ['unknown'],
  ['__proto__'],
];

const change = fc.record({
  path: fc.constantFrom(...PATHS),
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...HOSTILE) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  ),
  removed: fc.boolean(),
});
const spoiled = fc.record({ at: fc.nat(2_000), bytes: fc.uint8Array({ maxLength: 4 }), cut: fc.boolean() });

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const pair: fc.Arbitrary<Sent> = fc
  .record({
    changes: fc.array(change, { maxLength: 3 }),
    spoiled: seldom(spoiled),
    twice: seldom(fc.constantFrom('amount', 'type', 'transactionId')),
    contentType: fc.constantFrom(
      ...[
        'application/json',
        'application/json; charset=utf-8',
        'Application/JSON',
        'text/plain',
        'application/xml',
        '',
      ],
    ),
    accept: fc.constantFrom('', 'application/problem+json', '*/*'),
    usual: fc.integer({ min: 0, max: 3 }),
    waits: fc.boolean(),
  })
  .map(({ changes, spoiled: broken, twice, contentType, accept, usual, waits }) => {
    const transaction: Record<string, unknown> = aTransaction();
    for (const one of changes) apply(transaction, one);
    let text = JSON.stringify(transaction);
    if (twice !== null) text = `${text.slice(0, -1)},${JSON.stringify(twice)}:1}`;
    let body: Buffer = Buffer.from(text);
    if (broken) {
      const at = Math.min(broken.at, body.length);
      body = Buffer.concat([
        body.subarray(0, at),
        broken.bytes,
        broken.cut ? Buffer.alloc(0) : body.subarray(at),
      ]);
    }
    const type = usual > 0 ? 'application/json' : contentType;
    const headers = { ...(type && { 'content-type': type }), ...(accept && { accept }) };
    return { body, headers, waits };
  });

function apply(
  of: Record<string, unknown>,
  { path, value, removed }: { path: readonly string[]; value: unknown; removed: boolean },
): void {
  const [first = '', second] = path;
  if (second === undefined) {
    if (removed) Reflect.deleteProperty(of, first);
    else Object.defineProperty(of, first, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const inner = of[first];
  if (typeof inner === 'object' && inner !== null) {
    apply(inner as Record<string, unknown>, { path: [second], value, removed });
  }
}

/** Whatever of an answer does not name the request. */
function comparable({ status, headers, body }: Answer): object {
  const { data, error } = body as {
    data?: { duplicate?: unknown; status?: unknown } | null;
    error?: { code: string; details: readonly unknown[]; message: string; retryable: boolean } | null;
  };
  const problem = body as { code?: unknown; title?: unknown; errors?: unknown };
  return {
    status,
    type: headers['content-type'],
    allow: headers['allow'],
    keys: Object.keys(data ?? {}).sort(),
    duplicate: data?.duplicate,
    state: data?.status,
    error: error && {
      code: error.code,
      details: error.details,
      message: error.message,
      retryable: error.retryable,
    },
    problem: error === undefined && [problem.code, problem.title, problem.errors],
  };
}

const AT_ONCE = 20;

/**
 * Gives `count` generated requests to the ingest lane and to the controller, each for an application of its own, and
 * demands the same answers. Returns how many were accepted, refused, and with how many codes.
 */
export async function lanePairs(t: TestApp, count: number): Promise<Readonly<Record<string, number>>> {
  const { seed } = fc.readConfigureGlobal();
  const [ofLane, ofController] = [await t.client(), await t.client()];
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * AT_ONCE });
  const ask = ({ body, headers }: Omit<Sent, 'waits'>, client: TestClient, place: string): Promise<Answer> =>
    send(`${t.url}/kyt/transactions/ingest${place}`, {
      body,
      agent,
      headers: {
        ...headers,
        'x-client-id': client.clientId,
        'x-client-secret': client.clientSecret,
        'content-length': String(body.length),
      },
    });
  const statuses: Record<string, number> = {};
  // The lane takes only whom it knows already.
  await ask(
    { body: Buffer.from(JSON.stringify(aTransaction())), headers: { 'content-type': 'application/json' } },
    ofLane,
    '',
  );
  const all = fc.sample(pair, { numRuns: count });
  try {
    for (let at = 0; at < all.length; at += AT_ONCE) {
      await Promise.all(
        all.slice(at, at + AT_ONCE).map(async (one) => {
          // Anything more in the address makes it a matter of Express.
          const [plain, more] = one.waits ? ['?wait=10000', '&'] : ['', '?'];
          const [lane, controller] = await Promise.all([
            ask(one, ofLane, plain),
            ask(one, ofController, plain + more),
          ]);
          const context = { seed, waits: one.waits, body: one.body.toString('latin1'), headers: one.headers };
          expect({ ...context, ...comparable(lane) }).toEqual({ ...context, ...comparable(controller) });
          statuses[lane.status] = (statuses[lane.status] ?? 0) + 1;
        }),
      );
    }
  } finally {
    agent.destroy();
  }
  return statuses;
}
