/** Integrators as they should be: each sends a transaction again, unchanged, until it is acknowledged. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventOf, transactionSource } from '../bench/corpus.mjs';

const INGEST = '/kyt/transactions/ingest';
const EVENTS = '/kyt/events';
const ANSWER_TIMEOUT_MS = 15_000;
// Shorter than Retry-After asks for: when the service is back is what is measured.
const PAUSE_MS = 100;
const BATCH_ITEMS = 500;
/** One in so many acknowledged transactions is sent once more, as after a lost answer. */
const REPEAT_EVERY = 25;
/** With one in so many transactions goes an event of its customer. */
const EVENT_EVERY = 3;

export class Integrators {
  /** transactionId -> when it was acknowledged; what the service owes. */
  acknowledged = new Map();
  /** eventId -> when it was acknowledged. */
  acknowledgedEvents = new Map();
  /** Every answer: { sentAt, at, status, retryAfter }; status 0 when there was none. */
  answers = [];
  /** Answers that no integrator should ever get. */
  unexpected = [];
  /** transactionId -> the text of a decision that came in the call. */
  decisions = new Map();
  #source;
  #headers;
  #port;
  #sequence = 0;
  #running = null;

  constructor({ port, headers, seed }) {
    this.#source = transactionSource(seed);
    this.#port = port;
    this.#headers = { ...headers, 'content-type': 'application/json' };
  }

  /**
   * Starts `connections` integrators that together send `perSecond` new transactions; with `waitMs` each waits so long for
   * the decision. They go to another one of the `ports` when one does not answer.
   */
  start({ connections, perSecond, waitMs, ports = [this.#port] }) {
    const path = waitMs === undefined ? INGEST : `${INGEST}?wait=${waitMs}`;
    const control = { stopped: false, path, ports };
    const loops = Array.from({ length: connections }, (_, at) =>
      this.#integrate(control, (1_000 * connections) / perSecond, (1_000 * at) / perSecond),
    );
    this.#running = { control, loops };
  }

  /** Stops making new transactions; returns when those begun are acknowledged. */
  async stop() {
    const { control, loops } = this.#running;
    control.stopped = true;
    await Promise.all(loops);
    this.#running = null;
  }

  /** Sends this many more at once, in batches, until all of them are acknowledged. */
  async flood(count) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
    const batches = Array.from({ length: Math.ceil(count / BATCH_ITEMS) }, () =>
      Array.from({ length: BATCH_ITEMS }, () => this.#next()),
    );
    await Promise.all(batches.map((items) => this.#deliverBatch(agent, items)));
    agent.destroy();
  }

  /** Counts of answers by status, of all or of a span of time. */
  statuses({ from = 0, to = Infinity } = {}) {
    const counts = {};
    for (const { at, status } of this.answers) {
      if (at >= from && at <= to) counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  }

  async #integrate(control, everyMs, offsetMs) {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const turns = { next: Math.floor(offsetMs) };
    for (let due = performance.now() + offsetMs, sent = 1; !control.stopped; sent++) {
      await sleep(Math.max(0, due - performance.now()));
      // After an outage the missed ones are not made up for: integrators wait with what they have.
      due = Math.max(due + everyMs, performance.now());
      const transaction = this.#next();
      await this.#deliver({ ...control, agent, turns }, transaction);
      if (sent % REPEAT_EVERY === 0) await this.#deliver({ ...control, agent, turns }, transaction, 200);
      if (sent % EVENT_EVERY === 0) {
        const event = { ...transaction, path: EVENTS, text: eventOf(transaction.text) };
        await this.#deliver({ ...control, agent, turns }, event);
        if (sent % REPEAT_EVERY === 0) await this.#deliver({ ...control, agent, turns }, event, 200);
      }
    }
    agent.destroy();
  }

  /** Until it is acknowledged, whatever happens in between. */
  async #deliver({ agent, path, ports, turns }, { transactionId, text, path: ownPath }, wanted) {
    for (; ; turns.next++) {
      const answer = await this.#post(agent, ownPath ?? path, text, ports[turns.next % ports.length]);
      this.#record(answer);
      if (answer.status === 202 || answer.status === 200) {
        if (wanted !== undefined && answer.status !== wanted) {
          this.unexpected.push(`${answer.status} for what was acknowledged before`);
        }
        (ownPath ? this.acknowledgedEvents : this.acknowledged).set(transactionId, answer.at);
        if (ownPath === undefined && answer.status === 200) this.#noteDecision(transactionId, answer.body);
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #deliverBatch(agent, items) {
    for (let left = items; left.length > 0;) {
      const answer = await this.#post(
        agent,
        `${INGEST}/batch`,
        `[${left.map(({ text }) => text).join(',')}]`,
      );
      const results = answer.status === 207 ? JSON.parse(answer.body).data.results : [];
      const refused = [];
      left.forEach((item, at) => {
        const status = results[at]?.status ?? answer.status;
        this.#record({ ...answer, status });
        if (status === 202 || status === 200) this.acknowledged.set(item.transactionId, answer.at);
        else refused.push(item);
      });
      left = refused;
      if (left.length > 0) await sleep(PAUSE_MS);
    }
  }

  /** A transaction is decided once: whoever is told again is told the same. */
  #noteDecision(transactionId, text) {
    if (JSON.parse(text).data.accepted === true) return; // the receipt of a duplicate
    const told = this.decisions.get(transactionId);
    if (told !== undefined && told !== text) this.unexpected.push('two different decisions');
    this.decisions.set(transactionId, text);
  }

  /** How many of the decisions that came in a call are not what the transaction reads as now. */
  async contradicted() {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
    const left = [...this.decisions];
    const wrong = [];
    const read = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [transactionId, text] = next;
        const { status, body } = await this.#send(agent, 'GET', `/kyt/transactions/${transactionId}`, '');
        if (status !== 200 || body !== text) wrong.push(transactionId);
      }
    };
    await Promise.all(Array.from({ length: 8 }, read));
    agent.destroy();
    return wrong;
  }

  #record({ sentAt, at, status, retryAfter }) {
    this.answers.push({ sentAt, at, status, retryAfter });
    if (status === 503 && retryAfter === undefined) this.unexpected.push('503 without Retry-After');
    if (![0, 200, 202, 503].includes(status)) this.unexpected.push(`status ${status}`);
  }

  #next() {
    const transactionId = `crash-${String(++this.#sequence).padStart(8, '0')}`;
    const text = this.#source
      .next()
      .replace(/"transactionId":"[^"]*"/, `"transactionId":"${transactionId}"`)
      .replace(/"occurredAt":"[^"]*"/, `"occurredAt":"${new Date().toISOString()}"`);
    return { transactionId, text };
  }

  #post(agent, path, text, port = this.#port) {
    return this.#send(agent, 'POST', path, text, port);
  }

  #send(agent, method, path, text, port = this.#port) {
    const sentAt = Date.now();
    return new Promise((resolve) => {
      const done = (status, retryAfter, body) =>
        resolve({ sentAt, at: Date.now(), status, retryAfter, body });
      const request = http.request(
        {
          agent,
          path,
          port,
          host: '127.0.0.1',
          method,
          timeout: ANSWER_TIMEOUT_MS,
          headers: { ...this.#headers, 'content-length': Buffer.byteLength(text) },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', () => done(0));
          response.on('end', () => {
            done(
              response.statusCode,
              response.headers['retry-after'],
              Buffer.concat(chunks).toString('utf8'),
            );
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('no answer in time')));
      request.on('error', () => done(0));
      request.end(text);
    });
  }
}
