import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RulesetsService, type RuleDefinition } from '../../src/features/rules/index.js';
import { brFirst } from '../support/br-first.js';
import type { TestApi, TransactionAnswer } from '../support/api.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction, CPF } from '../support/builders.js';
import { promised } from '../support/needs.js';
import { expectWithin } from '../support/timing.js';

const SECRET = 'a secret that the provider shares with us';

interface Question {
  readonly version: number;
  readonly transactions: { readonly id: string }[];
}
type Manner = (question: Question, response: ServerResponse, request: IncomingMessage) => void;

/** An institution's own service, as well or as badly behaved as it is told to be. */
class Provider {
  readonly questions: { question: Question; headers: IncomingMessage['headers']; raw: string }[] = [];
  manner: Manner = () => undefined;
  private constructor(readonly server: Server) {}

  static async listen(): Promise<Provider> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const question = JSON.parse(raw) as Question;
        provider.questions.push({ question, headers: request.headers, raw });
        provider.manner(question, response, request);
      });
      response.on('error', () => undefined);
    });
    const provider = new Provider(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/evidence`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const says =
  (answer: unknown, status = 200, headers: Record<string, string> = {}): Manner =>
  (_question, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
/** Answers about every transaction that it was asked about. */
const saysOfEach =
  (result: (id: string) => unknown): Manner =>
  (question, response, request) => {
    says({ results: question.transactions.map(({ id }) => result(id)) })(question, response, request);
  };

/** A rule that reads what the provider says; one that cannot be decided is told by its PARTIAL. */
const evidenceRule: RuleDefinition = {
  ...brFirst.rules[0]!,
  key: 'T-EVIDENCE',
  parameters: {},
  when: 'evidence.score >= 80 || evidence.flags.exists(f, f == "MULE")',
  score: { points: 70, group: 'EVIDENCE', groupMax: null },
  effect: { minOutcome: 'REVIEW', recommend: 'NONE', reasonCode: 'EVIDENCE' },
  evidence: [],
  onIndeterminate: 'PARTIAL',
  component: 'RULES',
  message: { 'pt-BR': 'O provedor acusa.', en: 'The provider accuses.' },
};

let t: TestApp;
let provider: Provider;
let elsewhere: Provider;
let api: TestApi;

beforeAll(async () => {
  provider = await Provider.listen();
  elsewhere = await Provider.listen();
  t = await startTestApp({
    settings: { evidenceUrl: provider.url, evidenceSecret: SECRET, evidenceTimeoutMs: 400 },
  });
  const client = await t.client({ rules: false });
  await t.app
    .get(RulesetsService)
    .publish(client.organisationId, { ...brFirst, rules: [...brFirst.rules, evidenceRule] }, 'test');
  api = t.api.as(client);
});

afterAll(async () => {
  await t.close();
  await provider.close();
  await elsewhere.close();
});

beforeEach(async () => {
  // A sound answer closes the breaker, so that each case begins anew.
  provider.manner = saysOfEach((id) => ({ id, score: 0 }));
  await asked();
  provider.questions.length = 0;
});

async function asked(fields: Record<string, unknown> = {}): Promise<TransactionAnswer> {
  const body = aTransaction(fields);
  await api.ingest(body).expect(202);
  return api.settled(body.transactionId);
}

const withoutIt = (reason: string): object => ({
  outcome: 'REVIEW',
  composition: 'PARTIAL',
  defensible: false,
  components: { RULES: { state: 'PARTIAL', reason: `T-EVIDENCE:${reason}` } },
});

describe('An external evidence provider', () => {
  it('is asked once per batch, signed, and told of the transaction and the customer only', async () => {
    const one = await asked();
    expect(one).toMatchObject({ outcome: 'APPROVED', composition: 'COMPLETE', defensible: true });
    const { question, headers, raw } = provider.questions[0]!;
    const timestamp = String(headers['x-vigia-timestamp']);
    const signature = createHmac('sha256', SECRET).update(`${timestamp}.${raw}`).digest('hex');
    expect(headers['x-vigia-signature']).toBe(`v1=${signature}`);
    expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(30);
    expect(question).toMatchObject({
      version: 1,
      transactions: [
        { id: expect.stringMatching(/^txn_/), document: expect.stringMatching(/^\d{11}$/), amount: '120.5' },
      ],
    });
    expect(raw).not.toMatch(new RegExp(`Maria|João|${CPF.payee}|0001-77|203\\.0\\.113`));
  });

  it.each<[string, object, string]>([
    ['a score', { score: 80 }, 'evidence.score = 80'],
    ['a flag', { score: 0, flags: ['MULE'] }, 'evidence.flags = MULE'],
  ])('%s is a fact that rules read', async (_what, said, observed) => {
    provider.manner = saysOfEach((id) => ({ id, ...said }));
    const one = await asked();
    expect(one).toMatchObject({
      outcome: 'REVIEW',
      composition: 'COMPLETE',
      defensible: true,
      riskScore: 60,
    });
    expect(one.reasons[0]).toMatchObject({ ruleId: 'T-EVIDENCE', observed });
  });

  it('that does not say a score leaves the fact open, and the transaction to a person', async () => {
    provider.manner = saysOfEach((id) => ({ id }));
    expect(await asked()).toMatchObject(withoutIt('NOT_SAID'));
  });

  it.each<[string, Manner, string]>([
    ['garbage', says('\u0000\u0001<html>not json'), 'EVIDENCE_NOT_JSON'],
    ['nothing', says(''), 'EVIDENCE_NOT_JSON'],
    ['JSON of another form', says([1, 2, 3]), 'EVIDENCE_MALFORMED'],
    ['results that are no list', says({ results: { a: 1 } }), 'EVIDENCE_MALFORMED'],
    ['a result without an id', says({ results: [{ score: 1 }] }), 'EVIDENCE_MALFORMED'],
    ['deep nesting', says('['.repeat(200_000)), 'EVIDENCE_NOT_JSON'],
    ['an error', says({ error: 'down' }, 503), 'EVIDENCE_STATUS'],
    ['a success that is none', says({ results: [] }, 206), 'EVIDENCE_STATUS'],
    ['no transaction of the batch', says({ results: [] }), 'EVIDENCE_FORGOTTEN'],
    [
      'transactions that nobody asked about',
      says({ results: [{ id: 'txn_ffffffffffffffffffffffffffffffff', score: 99 }] }),
      'EVIDENCE_FORGOTTEN',
    ],
    ['a score that is a text', saysOfEach((id) => ({ id, score: '12' })), 'EVIDENCE_MALFORMED'],
    ['a score beyond 100', saysOfEach((id) => ({ id, score: 101 })), 'EVIDENCE_MALFORMED'],
    ['a negative score', saysOfEach((id) => ({ id, score: -1 })), 'EVIDENCE_MALFORMED'],
    ['a score of 1e999', says('{"results":[{"id":"x","score":1e999}]}'), 'EVIDENCE_FORGOTTEN'],
    ['flags that are no codes', saysOfEach((id) => ({ id, flags: ['<script>'] })), 'EVIDENCE_MALFORMED'],
    ['flags of another type', saysOfEach((id) => ({ id, flags: 'MULE' })), 'EVIDENCE_MALFORMED'],
    [
      'too many flags',
      saysOfEach((id) => ({ id, flags: Array.from({ length: 51 }, (_, i) => `F${i}`) })),
      'EVIDENCE_MALFORMED',
    ],
    [
      'members that mean something to JavaScript',
      saysOfEach((id) => JSON.parse(`{"id":"${id}","__proto__":{"score":99},"constructor":1}`) as unknown),
      'NOT_SAID',
    ],
    [
      'an end before the end',
      (_question, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"results":[');
        setTimeout(() => response.destroy(), 20);
      },
      'EVIDENCE_UNREACHABLE',
    ],
    [
      'nothing at all, and hangs up',
      (_question, response) => {
        response.destroy();
      },
      'EVIDENCE_UNREACHABLE',
    ],
  ])(
    'that answers %s: the fact is unknown, never zero, and a person decides',
    async (_what, manner, reason) => {
      provider.manner = manner;
      const one = await asked();
      expect(one).toMatchObject(withoutIt(reason));
      expect(one.riskScore).toBe(0);
    },
  );

  it('that says two things about one transaction has said nothing', async () => {
    provider.manner = (question, response, request) => {
      const results = question.transactions.flatMap(({ id }) => [
        { id, score: 0 },
        { id, score: 99 },
      ]);
      says({ results })(question, response, request);
    };
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_MALFORMED'));
  });

  it('that is wrong about one transaction is believed about the others', async () => {
    provider.manner = saysOfEach((id) => ({ id, score: 0 }));
    const bodies = [aTransaction(), aTransaction()];
    let spoilt: string | undefined;
    provider.manner = (question, response, request) => {
      spoilt ??= question.transactions[0]?.id;
      saysOfEach((id) => ({ id, score: id === spoilt ? 'much' : 0 }))(question, response, request);
    };
    await api.ingestBatch(bodies).expect(207);
    const states = await Promise.all(bodies.map(({ transactionId }) => api.settled(transactionId)));
    expect(states.map(({ composition }) => composition).sort()).toEqual(['COMPLETE', 'PARTIAL']);
  });

  it('that redirects is not followed', async () => {
    const before = elsewhere.questions.length;
    provider.manner = says('', 307, { location: elsewhere.url });
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_STATUS'));
    expect(elsewhere.questions).toHaveLength(before);
  });

  promised('that is slow, or trickles, is waited for no longer than its time', async () => {
    provider.manner = () => undefined;
    const startedAt = performance.now();
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_TIMEOUT'));
    expectWithin(3_000, startedAt);
    provider.manner = (_question, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const trickle = setInterval(() => response.write(' '), 50);
      response.on('close', () => {
        clearInterval(trickle);
      });
    };
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_TIMEOUT'));
  });

  promised('that sends a gigabyte is cut off at a megabyte', async () => {
    let sent = 0;
    let hungUp = false;
    provider.manner = (_question, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(2 ** 30) });
      const chunk = Buffer.alloc(65_536, 0x20);
      const more = (): void => {
        while (sent < 2 ** 30 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
      };
      response.on('close', () => {
        hungUp = true;
      });
      more();
    };
    const memory = process.memoryUsage().rss;
    const startedAt = performance.now();
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_TOO_LARGE'));
    expectWithin(3_000, startedAt);
    expect(hungUp).toBe(true);
    // Only the content of buffers on the way was sent, by far not a gigabyte.
    expect(sent).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - memory).toBeLessThan(256 * 2 ** 20);
  });

  it('that fails five times in a row is left alone for a while, and nothing waits for it', async () => {
    provider.manner = says('', 500);
    for (let i = 0; i < 5; i += 1) await asked();
    provider.questions.length = 0;
    expect(await asked()).toMatchObject(withoutIt('EVIDENCE_CIRCUIT_OPEN'));
    expect(provider.questions).toHaveLength(0);
  });
});
