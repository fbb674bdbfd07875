/**
 * `npm run bench -- first-decision`: from `git clone` to the first decided transaction, as a newcomer comes there: clone,
 * `npm ci`, `npm start`, a POST that waits. npm takes from its cache what is in it, and Redis is fetched where the machine
 * has none. Beside it, by turns, a bare Nest: `npm ci`, `nest build`, `node`, a POST. Options: --rounds=N (1), --assert,
 * --write (docs/performance.md).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { reservedPort } from '../support/ports.mjs';
import { lastSection, whenAndWhere, writeSection } from './document.mjs';
import { root } from './release.mjs';
import { median } from './report.mjs';

const TITLE = 'From a clone to the first decision';
export const lastFirstDecision = () => lastSection(TITLE);

/** So many times what bare Nest takes on the same machine in the same minutes. */
const BOUND = 6;
const NEST = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'];
const NEST_TOOLS = ['@nestjs/cli', '@types/node', 'typescript'];
const MAIN = `import 'reflect-metadata';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
@Controller()
class EchoController {
  @Post()
  echo(@Body() body: object): object {
    return body;
  }
}
@Module({ controllers: [EchoController] })
class EchoModule {}
const app = await NestFactory.create(EchoModule);
await app.listen(Number(process.env.PORT), '127.0.0.1');
`;

export async function firstDecisionBench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '1' },
      assert: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  // What walks the documents on a clone is TypeScript.
  await import('../support/register.mjs');
  const { StartedClone } = await import('../support/started-clone.ts');
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.push({
      bare: await inFreshFolder(bareNest),
      vigia: await inFreshFolder((folder) => firstDecision(folder, StartedClone)),
    });
  }
  const total = (laps) => laps.reduce((sum, { seconds }) => sum + seconds, 0);
  const ratios = rounds.map(({ bare, vigia }) => total(vigia) / total(bare));
  const met = median(ratios) <= BOUND;
  const line = (title, of) =>
    `${title.padEnd(28)} ${of(rounds[0])
      .map(({ what }, at) => `${what} ${median(rounds.map((round) => of(round)[at].seconds)).toFixed(1)} s`)
      .join(', ')}; ${median(rounds.map((round) => total(of(round)))).toFixed(1)} s`;
  const lines = [
    line('bare Nest', ({ bare }) => bare),
    line('clone to first decision', ({ vigia }) => vigia),
    `against bare Nest            ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} (target <= ${BOUND}): ${met ? 'met' : 'MISSED'}`,
  ];
  const heading = `${whenAndWhere()}, medians of ${rounds.length} round(s):`;
  const section = [heading, '', '```', ...lines, '```'].join('\n');
  process.stdout.write(`${section}\n`);
  if (values.write) writeSection(TITLE, section);
  if (values.assert && !met) process.exitCode = 1;
}

async function inFreshFolder(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vigia-first-decision-'));
  fs.chmodSync(folder, 0o711); // as root the database runs as another user
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a stopwatch: each call closes a lap. */
function stopwatch() {
  const laps = [];
  let began = performance.now();
  const lap = (what) => {
    const now = performance.now();
    laps.push({ what, seconds: (now - began) / 1000 });
    began = now;
  };
  return { laps, lap };
}

const npmCi = (folder) =>
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

async function firstDecision(folder, StartedClone) {
  const { laps, lap } = stopwatch();
  const clone = await StartedClone.start(() => {
    lap('git clone');
    npmCi(folder);
    lap('npm ci');
  }, folder);
  lap('npm start until ready');
  try {
    const { clientSecret } = JSON.parse(
      fs.readFileSync(path.join(folder, '.data/demo-credentials.json'), 'utf8'),
    );
    const answer = await fetch(`http://${clone.host}/kyt/transactions/ingest?wait=10000`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-client-id': 'demo-app',
        'x-client-secret': clientSecret,
      },
      body: JSON.stringify({
        ...{ transactionId: 'first', type: 'PIX_TRANSFER', channel: 'WEB', amount: 50_000, currency: 'BRL' },
        ...{ occurredAt: new Date().toISOString(), origin: {}, destination: { country: 'IR' } },
      }),
    });
    const { data } = await answer.json();
    if (data?.verdict !== 'HOLD') throw new Error(`it was not decided: ${answer.status}`);
    lap('decision');
  } finally {
    await clone.close();
  }
  return laps;
}

/** A program of one controller with the packages of this project's lock file: what no change of the project makes slower. */
async function bareNest(folder) {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const versions = (names) =>
    Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version]));
  const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
  const manifest = { name: 'bare-nest', version, private: true, type: 'module' };
  const needed = { dependencies: versions(NEST), devDependencies: versions(NEST_TOOLS) };
  write('package.json', JSON.stringify({ ...manifest, ...needed }));
  for (const name of ['.npmrc', 'package-lock.json'])
    fs.copyFileSync(path.join(root, name), path.join(folder, name));
  const tsconfig = { module: 'nodenext', target: 'ES2023', experimentalDecorators: true, types: ['node'] };
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        ...tsconfig,
        ...{ emitDecoratorMetadata: true, skipLibCheck: true, rootDir: 'src', outDir: 'dist' },
      },
      include: ['src'],
    }),
  );
  write('nest-cli.json', '{}');
  fs.mkdirSync(path.join(folder, 'src'));
  write('src/main.ts', MAIN);
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  run('npm', 'install', '--package-lock-only', '--loglevel=error');

  const { laps, lap } = stopwatch();
  npmCi(folder);
  lap('npm ci');
  run('npx', 'nest', 'build');
  lap('nest build');
  const port = await reservedPort();
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    while (!(await isAnswered(port))) {
      if (child.exitCode !== null) throw new Error('bare Nest ended');
      await sleep(20);
    }
    lap('node until answered');
  } finally {
    child.kill();
    await ended;
  }
  return laps;
}

const isAnswered = (port) =>
  fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(
    (answer) => answer.ok,
    () => false,
  );
