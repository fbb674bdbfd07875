/**
 * `npm run test:all`: what `npm test` leaves out, each part of test/stages.mjs one after the other, with a random seed
 * that is printed; what measures is `npm run bench -- promises`. `npm run test:all -- crash faults` runs these parts. The
 * end names the tests that were not run because a program is missing, and has a line per part.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parts } from './stages.mjs';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const seed = process.env.VIGIA_SEED ?? String(randomInt(1, 2 ** 31));
const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-parts-'));

/** What a part says of itself; a program that ended before it said anything has failed. */
function summaryIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, unstable: [], notRun: [] };
  }
}

const rows = [];
const left = Object.keys(parts).filter((name) => name !== 'first' && name !== 'measures');
for (const name of names.length > 0 ? names : left) {
  const { about, alone, also } = parts[name];
  console.log(`\n==> ${name}: ${about}`);
  const begun = Date.now();
  const summary = path.join(folder, `${name}.json`);
  const env = {
    ...process.env,
    VIGIA_PART: name,
    VIGIA_SEED: seed,
    VIGIA_SUMMARY: summary,
    ...(alone && { VIGIA_HEAVY: '1' }),
  };
  const commands = [['node', 'test/run.mjs'], ...(also ? [also] : [])];
  const failed = commands.filter(
    ([command, ...args]) =>
      spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status !== 0,
  );
  const isGreen = failed.length === 0;
  rows.push({ name, isGreen, seconds: Math.round((Date.now() - begun) / 1000), ...summaryIn(summary) });
}
rmSync(folder, { recursive: true });
console.log(`\nSeed ${seed}.`);
for (const { name, notRun } of rows) for (const title of notRun) console.log(`Not run in ${name}: ${title}`);
for (const { name, isGreen, seconds, passed, failed, skipped, unstable } of rows) {
  const counts = `${seconds} s, ${passed} passed, ${failed} failed, ${skipped} skipped, ${unstable.length} unstable`;
  console.log(`${isGreen ? 'passed' : 'FAILED'} ${name}: ${[counts, ...unstable].join(' ')}`);
}
process.exit(rows.some(({ isGreen }) => !isGreen) ? 1 : 0);
