import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startStack, type OwnStack } from '../../launcher/stack.js';
import { interpolated, readCompose, readYaml, serviceOf } from '../support/compose.js';
import { fromSource, productionFlags } from '../support/engine-flags.js';
import { eventually } from '../support/eventually.js';
import { needs, promtool } from '../support/needs.js';

/** An address of this machine for each container, as its network would give it; the others do not reach its loopback. */
const ADDRESSES: Readonly<Record<string, string>> = { api: '127.77.0.2', worker: '127.77.0.3' };
const FILES = ['docker-compose.yml', 'docker-compose.observability.yml'].map(readCompose);
const { scrape_configs: scrapes } = readYaml('observability/prometheus/prometheus.yml') as {
  scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
};
const run = promisify(execFile);
const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-containers-'));
const containers = new Map<string, ChildProcess>();
const [data, temporary] = ['data', 'tmp'].map((name) => path.join(folder, name)) as [string, string];
let stack: OwnStack & { readonly redis: { stop(): Promise<void> } };
let values: Record<string, string>;

/** Returns what the commands of docs/production.md write into `.env`. */
async function documentedEnv(): Promise<Record<string, string>> {
  const [block = ''] =
    /^cat > \.env <<EOF\n[\s\S]*?^EOF$/m.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
  await run('sh', ['-c', block], { cwd: folder });
  const lines = readFileSync(path.join(folder, '.env'), 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line): [string, string] => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
}

/** Returns the environment of a container: of its image, then of Compose, with the servers where they are here. */
function environmentOf(name: string): Record<string, string> {
  const [, ofImage = ''] = /^ENV (.*)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const given = {
    ...Object.fromEntries(ofImage.split(' ').map((pair) => pair.split('='))),
    ...serviceOf(FILES, name).environment,
  } as Record<string, string>;
  const env = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, here(name, interpolated(value, values))]),
  );
  return { PATH: process.env['PATH'] ?? '', ...env, DATA_DIR: data, TMPDIR: temporary };
}

function here(name: string, value: string): string {
  if (value === '0.0.0.0') return ADDRESSES[name] ?? '127.0.0.1';
  if (value.startsWith('redis:')) return stack.redisUrl ?? '';
  if (!value.startsWith('postgres:')) return value;
  const own = new URL(stack.ownerUrl);
  const url = new URL(value);
  if (url.username === 'vigia') return own.href;
  Object.assign(url, { host: own.host, pathname: own.pathname });
  return url.href;
}

/**
 * Holds a program as Compose and Kubernetes hold a container: a user whom no file knows, no way to more rights, and a root
 * that nobody writes to, but for the volume and a /tmp of its own.
 */
const HELD = `
  mount --bind "$PWD" "$PWD" && mount --bind "$DATA_DIR" "$DATA_DIR" && mount -t tmpfs tmpfs "$TMPDIR" &&
  mount -o remount,bind,ro "$PWD" && mount -o remount,bind,ro / &&
  exec unshare --user --map-user=1000650000 --map-group=0 setpriv --no-new-privs "$@"`;

function start(name: string, service: string, program: readonly string[]): ChildProcess {
  const { read_only: isHeld } = FILES[0]?.services[service] ?? {};
  const held = isHeld ? ['unshare', '--map-root-user', '--mount', 'sh', '-c', HELD, name] : [];
  const [command = '', ...args] = [...held, process.execPath, ...program];
  const child = spawn(command, args, {
    env: environmentOf(service),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  containers.set(name, child);
  return child;
}

/** Returns the samples of each target as Prometheus stores them, with `up`. */
async function scraped(): Promise<Map<string, string>> {
  const samples = new Map<string, string>();
  for (const { job_name: job, static_configs: configs } of scrapes) {
    for (const instance of configs.flatMap(({ targets }) => targets)) {
      const [name = '', port = ''] = instance.split(':');
      const labels = `instance="${instance}",job="${job}"`;
      const text = await fetch(`http://${ADDRESSES[name]}:${port}/metrics`).then(
        (answer) => answer.text(),
        () => null,
      );
      samples.set(`up{${labels}}`, text === null ? '0' : '1');
      for (const [, metric, own = '', value = ''] of (text ?? '').matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)) {
        samples.set(`${metric}{${[own, labels].filter(Boolean).join(',')}}`, value);
      }
    }
  }
  return samples;
}

/** Returns the alerts that promtool finds firing when the metrics stay as they are for ten minutes. */
async function firing(): Promise<string[]> {
  const samples = [...(await scraped())].filter(([, value]) => !/nan|inf/i.test(value));
  const nothing = {
    expr: 'count by (alertname, instance) (ALERTS{alertstate="firing"})',
    eval_time: '10m',
    exp_samples: [],
  };
  const tests = {
    rule_files: [path.resolve('observability/prometheus/alerts.yml')],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: samples.map(([series, value]) => ({ series, values: `${value}x60` })),
        promql_expr_test: [nothing],
      },
    ],
  };
  const file = path.join(folder, 'now.json');
  writeFileSync(file, JSON.stringify(tests));
  const said = await run(promtool, ['test', 'rules', file]).catch((error: unknown) => error);
  const { stdout, stderr } = said as { stdout: string; stderr: string };
  if (stdout.includes('SUCCESS')) return [];
  const found = [...stderr.matchAll(/\{alertname="(\w+)"(?:, instance="(.*?)")?\}/g)];
  if (found.length === 0) throw new Error(`promtool says: ${stdout}${stderr}`);
  return found.map(([, alert, instance]) => [alert, instance].filter(Boolean).join(' ')).sort();
}

const fires = (...alerts: string[]): Promise<unknown> => {
  let seen: string[] = [];
  return eventually(`${alerts.join(', ') || 'nothing'} fires`, async () => {
    seen = await firing();
    return seen.join() === alerts.join();
  }).catch((error: unknown) => {
    throw new Error(`found ${seen.join(', ') || 'nothing'}`, { cause: error });
  });
};

needs('namespaces', 'promtool', 'openssl', 'redis').describe(
  'the containers of Compose, as processes',
  () => {
    beforeAll(async () => {
      chmodSync(folder, 0o711); // as root without user namespaces the database runs as another user
      for (const own of [data, temporary]) mkdirSync(own);
      const cacheDir = path.resolve(process.env['DATA_DIR'] ?? '.data', 'cache');
      const options = { dir: path.join(folder, 'servers'), cacheDir, durable: true, quiet: true };
      stack = (await startStack(options)) as typeof stack;
      values = await documentedEnv();
      const [code] = (await once(
        start('migrate', 'migrate', [...fromSource('cli/main.ts'), 'migrate']),
        'exit',
      )) as [number];
      expect(code).toBe(0);
      for (const name of Object.keys(ADDRESSES)) {
        start(name, name, [...productionFlags(), ...fromSource('main.ts')]);
      }
      await eventually('each target is scraped', async () =>
        [...(await scraped())].every(([series, value]) => !series.startsWith('up') || value === '1'),
      );
    }, 120_000);

    afterAll(async () => {
      for (const child of containers.values()) child.kill('SIGKILL');
      await stack.discard();
      rmSync(folder, { recursive: true, force: true });
    });

    it('run as a user whom no file knows, and write to their volume alone', async () => {
      const places = { data: `${data}/it`, temporary: `${temporary}/it`, app: `${folder}/it`, root: '/it' };
      const looks = `
        const of = (name) => { try { fs.writeFileSync(name, ''); return 'written'; } catch (e) { return e.code; } };
        const found = ${JSON.stringify(Object.entries(places))}.map(([name, file]) => [name, of(file)]);
        fs.writeFileSync('${data}/found', JSON.stringify({ uid: process.getuid(), ...Object.fromEntries(found) }));`;
      await once(start('looker', 'api', ['-e', looks]), 'exit');
      expect(JSON.parse(readFileSync(`${data}/found`, 'utf8'))).toEqual({
        uid: 1_000_650_000,
        ...{ data: 'written', temporary: 'written', app: 'EROFS', root: 'EROFS' },
      });
      // The service keeps its anchors there.
      expect(readdirSync(data)).toEqual(expect.arrayContaining(['audit']));
    });

    it('fire no alert when all is well, and the alert of each fault', async () => {
      await fires();
      containers.get('worker')?.kill('SIGTERM');
      await fires('VigiaDown worker:3001');
      await stack.redis.stop();
      await fires('VigiaDown worker:3001', 'VigiaQueueUnknown');
      await stack.postgres.stop();
      await fires('VigiaDatabaseAway api:3001', 'VigiaDown worker:3001');
    }, 300_000);
  },
);
