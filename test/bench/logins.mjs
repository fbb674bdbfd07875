/**
 * `npm run bench -- logins [--rate N] [--seconds N] [--rounds N] [--assert]`: what ingest notices of an attack on the
 * login. A steady stream of transactions is sent alone and beside 50 parallel logins with wrong passwords and codes,
 * each from an address of its own (as a proxy reports them), half of them for accounts that exist.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGenerator } from './scenarios.mjs';
import { Workbench, withClient } from './service.mjs';

const PARALLEL = 50;
const TARGET_RATIO = 1.5;
/** Below this a ratio of two latencies is noise of the scheduler. */
const FLOOR_MS = 1;
const PAUSE_AFTER_REFUSAL_MS = 50;
const INGEST = '/kyt/transactions/ingest';
const self = fileURLToPath(import.meta.url);
const say = (text) => process.stdout.write(`${text}\n`);

/** In a process of its own: fifty callers, each of which asks again when it is answered. */
async function attack(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: PARALLEL });
  const statuses = {};
  let going = true;
  let number = 0;
  const logIn = (email) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ email, password: `wrong-${number++}-guess`, totp: '000000' });
      const address = `198.18.${(number >> 8) & 255}.${number & 255}`;
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-forwarded-for': address,
      };
      const request = http.request(
        { agent, port, host: '127.0.0.1', method: 'POST', path: '/operator/auth/login', headers },
        (response) => response.resume().on('end', () => resolve(response.statusCode)),
      );
      request.on('error', reject);
      request.end(body);
    });
  const caller = async (_, index) => {
    while (going) {
      const known = index % 2 === 0;
      const status = await logIn(known ? 'admin@demo.example' : `nobody-${number}@demo.example`);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 401) await sleep(PAUSE_AFTER_REFUSAL_MS);
    }
  };
  const callers = Array.from({ length: PARALLEL }, caller);
  process.send({ started: true });
  await once(process, 'message');
  going = false;
  await Promise.all(callers);
  process.send({ statuses });
  process.disconnect();
}

async function startAttack(port) {
  const child = fork(self, ['attack', String(port)]);
  await once(child, 'message');
  return async () => {
    child.send('stop');
    const [{ statuses }] = await once(child, 'message');
    return statuses;
  };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export async function loginsBench(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      rate: { type: 'string', default: '300' },
      seconds: { type: 'string', default: '15' },
      rounds: { type: 'string', default: '3' },
      assert: { type: 'boolean', default: false },
    },
  });
  const [rate, seconds, rounds] = [values.rate, values.seconds, values.rounds].map(Number);
  const bench = await Workbench.open();
  const generator = await startGenerator();
  try {
    await bench.withDatabase(async (database) => {
      // The addresses of the attackers are believed, as those are that a proxy in front reports.
      const env = { ...database.env, TRUST_PROXY: '127.0.0.0/8' };
      const service = await bench.startProcess('all', { ...database, env });
      try {
        const plan = { port: service.port, path: INGEST, headers: bench.headers, connections: 16, rate };
        let tag = 0;
        const measure = async (length) =>
          (await generator.ask({ ...plan, seconds: length, tag: String(++tag).padStart(6, '0') })).latency;
        await measure(Math.max(5, seconds / 2));
        await withClient(database.ownerUrl, (client) => client.query('ANALYZE'));
        const quiet = [];
        const attacked = [];
        for (let round = 1; round <= rounds; round++) {
          quiet.push(await measure(seconds));
          const stop = await startAttack(service.port);
          attacked.push(await measure(seconds));
          const statuses = await stop();
          const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
          say(
            `round ${round}/${rounds}  ingest ${rate}/s: p50 ${quiet.at(-1).p50.toFixed(1)} ms, p99 ${quiet.at(-1).p99.toFixed(1)} ms alone; ` +
              `p50 ${attacked.at(-1).p50.toFixed(1)} ms, p99 ${attacked.at(-1).p99.toFixed(1)} ms under ${PARALLEL} parallel logins ` +
              `(${Math.round(answered / seconds)}/s answered: ${JSON.stringify(statuses)})`,
          );
        }
        const [alone, beside] = [quiet, attacked].map((list) => median(list.map(({ p99 }) => p99)));
        const ratio = beside / Math.max(alone, FLOOR_MS);
        say(
          `\nmedian p99: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms under attack: ${ratio.toFixed(2)}x (target ${TARGET_RATIO}x)`,
        );
        if (values.assert && ratio > TARGET_RATIO) process.exitCode = 1;
      } finally {
        await service.stop();
      }
    });
  } finally {
    await generator.stop();
    await bench.close();
  }
}

if (process.argv[1] === self && process.argv[2] === 'attack') await attack(Number(process.argv[3]));
