import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi, TestOperator } from '../support/api.js';
import { ApiProcess } from '../support/api-process.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aTransaction } from '../support/builders.js';
import { eventually } from '../support/eventually.js';

const OPERATORS = 5;
const STREAMS_EACH = 4;
const NOTES = 60;

/** Works and seals; the streams are open at the two processes beside it. */
let t: TestApp;
let processes: [ApiProcess, ApiProcess];

beforeAll(async () => {
  t = await startTestApp();
  processes = [await ApiProcess.start(t), await ApiProcess.start(t)];
}, 180_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await t.close();
});

const dataOf = ({ body }: { readonly body: unknown }): unknown => (body as { data: unknown }).data;

/** Somebody who listens, and goes to the other process with the last id when one is gone. */
class Listener {
  /** The places of the steps that were told. */
  readonly heard: string[] = [];
  broken = 0;
  resets = 0;
  ready = false;
  private last: string | null = null;
  private readonly aborting = new AbortController();
  private readonly done: Promise<void>;

  constructor(
    private readonly operator: TestOperator,
    private readonly query: string,
    private at: number,
  ) {
    this.done = this.listen();
  }

  async stop(): Promise<void> {
    this.aborting.abort();
    await this.done;
  }

  private async listen(): Promise<void> {
    while (!this.aborting.signal.aborted) {
      try {
        await this.once(`${processes[this.at % 2]?.url ?? ''}/operator/stream${this.query}`);
      } catch {
        // The process is gone, or the test is over.
      }
      this.broken += 1;
      this.at += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private async once(url: string): Promise<void> {
    const answer = await fetch(url, {
      headers: {
        authorization: `Bearer ${this.operator.token}`,
        ...(this.last === null ? {} : { 'last-event-id': this.last }),
      },
      signal: this.aborting.signal,
    });
    if (!answer.body || answer.status !== 200) return;
    let text = '';
    for await (const chunk of answer.body) {
      text += Buffer.from(chunk).toString('utf8');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.split(': ')[0], line.replace(/^\w+: /, '')]),
    );
    const [event, id] = [fields.get('event'), fields.get('id')];
    this.last = id ?? this.last;
    if (event === 'ready') this.ready = true;
    if (event === 'reset') this.resets += 1;
    if (event === 'change' && fields.get('data')?.includes('review.noted')) this.heard.push(id ?? '');
  }
}

it('streams over two processes: one is killed, and everybody hears everything once, resumed by the last id', async () => {
  const client = await t.client();
  const { organisationId } = client;
  const api = t.api.as(client);
  const body = aTransaction({ amount: 60_000 });
  await api.ingest(body).expect(202);
  await api.settled(body.transactionId);
  const person = (): Promise<TestOperator> => t.operator({ roles: ['ANALYST'], organisationId });
  const analyst: TestApi = t.api.asOperator(await person());
  const [listed] = dataOf(await analyst.get('/operator/reviews').expect(200)) as { id: string }[];
  const path = `/operator/reviews/${listed!.id}/notes`;
  const note = async (i: number): Promise<void> => {
    await analyst
      .post(path)
      .send({ text: `Note number ${i}.` })
      .expect(201);
  };

  const people = await Promise.all(Array.from({ length: OPERATORS }, person));
  const listeners = people.flatMap((operator) =>
    Array.from(
      { length: STREAMS_EACH },
      (_, i) => new Listener(operator, `?topics=queue&case=${listed!.id}`, i),
    ),
  );
  try {
    await eventually('all listen', () => Promise.resolve(listeners.every(({ ready }) => ready)), 30_000);
    for (let i = 0; i < NOTES / 2; i += 1) await note(i);
    const [killed] = processes;
    const [killing] = [killed.kill()];
    // Written while one process is dying, and while nobody of its listeners is back yet.
    for (let i = NOTES / 2; i < NOTES; i += 1) await note(i);
    await killing;
    await eventually(
      'everybody has heard everything',
      () => Promise.resolve(listeners.every(({ heard }) => new Set(heard).size >= NOTES)),
      60_000,
    );
  } finally {
    await Promise.all(listeners.map((one) => one.stop()));
  }
  for (const { heard, resets } of listeners) {
    expect({ told: heard.length, different: new Set(heard).size, resets }).toEqual({
      ...{ told: NOTES, different: NOTES },
      resets: 0,
    });
  }
  // All hear the same, in the order of the log.
  const places = listeners.map(({ heard }) => heard.map(Number));
  expect(new Set(places.map((one) => one.join())).size).toBe(1);
  expect(places[0]).toEqual(places[0]!.toSorted((a, b) => a - b));
  expect(listeners.filter(({ broken }) => broken > 0).length).toBeGreaterThanOrEqual(listeners.length / 2);
}, 240_000);
