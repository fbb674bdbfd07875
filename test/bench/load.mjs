/**
 * The load generator: a process of its own, one raw keep-alive socket per connection, requests built once and only
 * patched before each send. Its parent sends a plan and gets a result:
 *
 *   plan   { port, path, headers, tag, connections, seconds | count, rate?, batch?, strangers?, hot?, events?, polls?, keepLatencies? }
 *   result { startedAt, acknowledged, statuses, seconds, latency, acknowledgedRanges, cpuMicroseconds, latencies? }
 *
 * Without `rate` the loop is closed: each connection sends again when it is answered. With `rate` it is open: a
 * request has an intended moment, and its latency counts from that moment however late it could be sent. `strangers`
 * sends customers whom no plan has sent before. `hot` sends to one payee in three of ten (`payee`), or all of one customer
 * (`customer`). `events` sends events of the same customers. With `polls` a caller reads its transaction back until it is evaluated.
 */
import net from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventOf, ID_WIDTH, patchPoints, transactionSource } from './corpus.mjs';

/** Far more than can be under way at once, so that no buffer is patched while the kernel still reads it. */
const SINGLE_REQUESTS = 16_384;
const BATCH_REQUESTS = 32;
const SEED = 20_260_101;
const ACCEPTED_ITEM = Buffer.from('"accepted":true');
const COMPLETED = Buffer.from('"status":"COMPLETED"');
const POLL_MS = 5;
/** A refused caller waits before it asks again; hammering would measure the refusals. */
const PAUSE_AFTER_REFUSAL_MS = 50;
const ANSWER_TIMEOUT_MS = 30_000;

// This process collects its garbage before it measures, so that nobody who starts it need know; with little to do the
// engine would not collect on its own.
setFlagsFromString('--no-memory-reducer');
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** The people they are of are forgotten again: a heap full of them would be looked through during a measurement. */
function makeTransactions(seed, count, strangers) {
  const source = transactionSource(seed, strangers);
  return Array.from({ length: count }, () => source.next());
}
const transactions = makeTransactions(SEED, SINGLE_REQUESTS);

/** Those of the last target: the warm-up and the measurement send the same, but for strangers, who are new each time. */
let built = { target: '', requests: [] };
let populations = 0;
function requestsFor(plan) {
  if (plan.strangers) {
    const count = Math.ceil(plan.strangers);
    return buildRequests(plan, makeTransactions(SEED + ++populations, count, true));
  }
  const { port, path, headers, batch, hot, events } = plan;
  const target = JSON.stringify([port, path, headers, batch, hot]);
  if (built.target !== target) {
    const texts = events ? transactions.map(eventOf) : transactionsOf(hot);
    built = { target, requests: buildRequests(plan, texts) };
  }
  return built.requests;
}

const PAYEE = [/"destination":\{[^}]*\}/];
const CUSTOMER = [
  /"externalCustomerId":"[^"]*"/,
  /"cpfCnpj":"[^"]*"/,
  /"origin":\{[^}]*\}/,
  /"deviceId":"[^"]*"/,
  /"ipAddress":"[^"]*"/,
];

/** The texts are changed in place: parsed and written again, amounts would lose their decimals. */
function transactionsOf(hot) {
  if (!hot) return transactions;
  const [model] = transactions;
  const like = (text, parts) =>
    parts.reduce((changed, part) => changed.replace(part, () => part.exec(model)[0]), text);
  if (hot === 'customer') return transactions.map((text) => like(text, CUSTOMER));
  return transactions.map((text, at) => (at % 10 < 3 ? like(text, PAYEE) : text));
}

function buildRequests({ port, path, headers, batch }, transactions) {
  const bodies = batch
    ? Array.from(
        { length: BATCH_REQUESTS },
        (_, at) =>
          `[${Array.from({ length: batch }, (__, item) => transactions[(at * batch + item) % transactions.length]).join(',')}]`,
      )
    : transactions;
  const fixed = Object.entries({ host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return bodies.map((body) => {
    const head = `POST ${path} HTTP/1.1\r\n${fixed}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const bytes = Buffer.from(head + body);
    const points = [];
    for (let from = head.length; points.length < (batch ?? 1); from = points.at(-1).moment)
      points.push(patchPoints(bytes, from));
    return { bytes, points };
  });
}

const moment = { bytes: Buffer.alloc(24), madeAt: 0 };
function currentMoment() {
  const now = Date.now();
  if (now - moment.madeAt >= 10) {
    moment.bytes.latin1Write(new Date(now).toISOString(), 0);
    moment.madeAt = now;
  }
  return moment.bytes;
}

function patch({ bytes, points }, tag, firstSequence) {
  const now = currentMoment();
  for (let item = 0; item < points.length; item++) {
    const point = points[item];
    let rest = firstSequence + item;
    bytes.latin1Write(tag, point.tag);
    for (let at = point.sequence + ID_WIDTH - 1; at >= point.sequence; at--) {
      bytes[at] = 48 + (rest % 10);
      rest = (rest / 10) | 0;
    }
    const variation = (Math.random() * 1_000) | 0;
    bytes[point.unitDigit] = 48 + ((variation / 100) | 0);
    bytes[point.unitDigit + 2] = 48 + (((variation / 10) | 0) % 10);
    bytes[point.unitDigit + 3] = 48 + (variation % 10);
    now.copy(bytes, point.moment);
  }
}

/** One keep-alive connection, one request at a time; answers are delimited by content-length. */
class Connection {
  #port;
  #socket = null;
  #closed = false;
  #onread = {
    buffer: Buffer.allocUnsafe(64 * 1024),
    callback: (size, buffer) => this.#receive(size, buffer),
  };
  #inbox = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  #onAnswer = null;

  constructor(port) {
    this.#port = port;
  }

  send(bytes, onAnswer) {
    this.#onAnswer = onAnswer;
    this.#socket ??= this.#open();
    this.#socket.write(bytes);
  }

  close() {
    this.#closed = true;
    this.#socket?.destroy();
  }

  #open() {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true, onread: this.#onread });
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#socket = null;
      this.#length = 0;
      // An unanswered request counts as status 0: it may or may not have been accepted.
      if (!this.#closed && this.#onAnswer !== null)
        setTimeout(() => this.#finish(0, 0), PAUSE_AFTER_REFUSAL_MS);
    });
    return socket;
  }

  #receive(size, buffer) {
    if (this.#length + size > this.#inbox.length) {
      const larger = Buffer.allocUnsafe(2 * (this.#length + size));
      this.#inbox.copy(larger, 0, 0, this.#length);
      this.#inbox = larger;
    }
    buffer.copy(this.#inbox, this.#length, 0, size);
    this.#length += size;
    const head = this.#inbox.latin1Slice(0, Math.min(this.#length, 4_096));
    const headEnd = head.indexOf('\r\n\r\n');
    if (headEnd < 0) return true;
    const contentLength = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (contentLength === null) throw new Error('an answer without content-length cannot be delimited');
    if (this.#length < headEnd + 4 + Number(contentLength[1])) return true;
    this.#finish(Number(head.slice(9, 12)), headEnd + 4);
    return true;
  }

  #finish(status, bodyStart) {
    const answer = this.#inbox.subarray(bodyStart, this.#length);
    const onAnswer = this.#onAnswer;
    this.#length = 0;
    this.#onAnswer = null;
    onAnswer?.(status, answer);
  }
}

/** Collects latencies (microseconds) and, per sequence number, whether it was acknowledged. */
class Tally {
  statuses = {};
  acknowledged = 0;
  refused = 0;
  #latencies = new Uint32Array(1 << 20);
  #count = 0;
  #notAcknowledged = [];
  #bySequence = null;

  constructor(perRequest, keepLatencies) {
    this.perRequest = perRequest;
    if (keepLatencies) this.#bySequence = [];
  }

  record(sequence, status, answer, latencyMs) {
    if (this.#count === this.#latencies.length) {
      const larger = new Uint32Array(2 * this.#count);
      larger.set(this.#latencies);
      this.#latencies = larger;
    }
    const microseconds = (latencyMs * 1_000) | 0;
    this.#latencies[this.#count++] = microseconds;
    if (this.#bySequence !== null) this.#bySequence[sequence] = microseconds;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const accepted =
      status < 200 || status > 299 ? 0 : this.perRequest === 1 ? 1 : countOf(answer, ACCEPTED_ITEM);
    this.acknowledged += accepted;
    // A partly accepted batch cannot be told apart item by item here: the checks then see too few, never too many.
    if (accepted < this.perRequest) this.#notAcknowledged.push(sequence);
  }

  latency() {
    const sorted = this.#latencies.subarray(0, this.#count).sort();
    const at = (share) =>
      this.#count === 0
        ? null
        : sorted[Math.min(this.#count - 1, Math.ceil(share * this.#count) - 1)] / 1_000;
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: at(1) };
  }

  latencies() {
    return this.#bySequence;
  }

  /** The acknowledged sequence numbers as inclusive [from, to] pairs. */
  ranges(end) {
    const ranges = [];
    let from = 0;
    for (const sequence of [...this.#notAcknowledged.sort((a, b) => a - b), end]) {
      if (sequence > from) ranges.push([from, sequence - 1]);
      from = sequence + this.perRequest;
    }
    return ranges;
  }
}

function countOf(bytes, pattern) {
  let count = 0;
  for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + pattern.length)) count++;
  return count;
}

async function run(plan) {
  const requests = requestsFor(plan);
  const perRequest = plan.batch ?? 1;
  const tally = new Tally(perRequest, plan.keepLatencies);
  const connections = Array.from({ length: plan.connections }, () => new Connection(plan.port));
  // The garbage of this process is collected now: during the measurement it would take one of the cores away.
  collectGarbage();
  const cpuBefore = process.cpuUsage();
  const startedAt = Date.now();
  const start = performance.now();
  const deadline = start + plan.seconds * 1_000;
  let sequence = 0;
  let turn = 0;
  let lastAnswer = start;

  const send = (connection, intended, next) => {
    if (plan.strangers && turn === requests.length)
      throw new Error('more strangers were needed than there are');
    const request = requests[turn++ % requests.length];
    const first = sequence;
    sequence += perRequest;
    patch(request, plan.tag, first);
    const done = (status, answer) => {
      lastAnswer = performance.now();
      tally.record(first, status, answer, lastAnswer - intended);
      next(connection, status);
    };
    connection.send(
      request.bytes,
      plan.polls
        ? (status, answer) => pollUntilEvaluated(connection, plan, first, status, answer, done)
        : done,
    );
  };

  const isOver = (now) => (plan.count ? sequence >= plan.count : now >= deadline);
  await (plan.rate ? openLoop(plan, connections, start, send) : closedLoop(connections, isOver, send));
  const cpu = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();
  return {
    startedAt,
    acknowledged: tally.acknowledged,
    statuses: tally.statuses,
    seconds: (lastAnswer - start) / 1_000,
    latency: tally.latency(),
    acknowledgedRanges: tally.ranges(sequence),
    cpuMicroseconds: cpu.user + cpu.system,
    ...(plan.keepLatencies ? { latencies: tally.latencies() } : {}),
  };
}

/** A caller who wants the decision and has no other way than to ask for it. */
function pollUntilEvaluated(connection, { port, path, headers, tag }, sequence, status, answer, done) {
  if (status < 200 || status > 299) {
    done(status, answer);
    return;
  }
  const id = `bench-${tag}-${String(sequence).padStart(ID_WIDTH, '0')}`;
  const fields = Object.entries({ host: `127.0.0.1:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const request = Buffer.from(`GET ${path.replace('/ingest', '')}/${id} HTTP/1.1\r\n${fields}\r\n`);
  const ask = () =>
    connection.send(request, (readStatus, body) => {
      if (readStatus === 200 && body.includes(COMPLETED)) done(status, answer);
      else setTimeout(ask, POLL_MS);
    });
  ask();
}

function closedLoop(connections, isOver, send) {
  return new Promise((resolve) => {
    let busy = connections.length;
    const next = (connection, status) => {
      const now = performance.now();
      if (isOver(now)) {
        if (--busy === 0) resolve();
      } else if (status >= 200 && status <= 299) {
        send(connection, now, next);
      } else {
        setTimeout(() => send(connection, performance.now(), next), PAUSE_AFTER_REFUSAL_MS);
      }
    };
    for (const connection of connections) send(connection, performance.now(), next);
  });
}

function openLoop({ rate, seconds, count }, connections, start, send) {
  return new Promise((resolve) => {
    const planned = count ?? Math.round(rate * seconds);
    const free = [...connections];
    let sent = 0;
    let answered = 0;
    const sendDue = () => {
      const due = Math.min(planned, Math.floor(((performance.now() - start) / 1_000) * rate) + 1);
      while (sent < due && free.length > 0) send(free.shift(), start + (sent++ / rate) * 1_000, next);
    };
    const next = (connection) => {
      free.push(connection);
      if (++answered === planned) resolve();
      else sendDue();
    };
    // One millisecond is as fine as a timer gets without spinning; the wait counts as latency like any other.
    const timer = setInterval(() => {
      sendDue();
      if (sent === planned) clearInterval(timer);
    }, 1);
  });
}

process.on('message', (plan) => {
  run(plan).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
