/**
 * `npm run test:all`: every part of test/stages.mjs, one after the other, with a random seed that is printed.
 * `npm run test:all -- crash faults` runs these parts.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parts } from './stages.mjs';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const seed = process.env.VIGIA_SEED ?? String(randomInt(1, 2 ** 31));

const rows = [];
for (const name of names.length > 0 ? names : Object.keys(parts)) {
  const { about, alone, also } = parts[name];
  console.log(`\n==> ${name}: ${about}`);
  const begun = Date.now();
  const env = { ...process.env, VIGIA_PART: name, VIGIA_SEED: seed, ...(alone && { VIGIA_HEAVY: '1' }) };
  const commands = [['node', 'test/run.mjs'], ...(also ? [also] : [])];
  const failed = commands.filter(
    ([command, ...args]) =>
      spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status !== 0,
  );
  rows.push({ name, failed: failed.length > 0, seconds: Math.round((Date.now() - begun) / 1000) });
}
console.log(`\nSeed ${seed}.`);
for (const { name, failed, seconds } of rows)
  console.log(`${failed ? 'FAILED' : 'passed'} ${name} in ${seconds} s`);
process.exit(rows.some(({ failed }) => failed) ? 1 : 0);
