/**
 * `npm test`: the first stage, with fixed seeds. `VIGIA_PART` names another part of test/stages.mjs, `VIGIA_SEED` another
 * seed. What follows is given to Jest. A file that fails is run once more, alone: when it passes then, it depends on
 * load, order or time; it is named as UNSTABLE. Three of them fail the run, and so does one that is it too often: see
 * unstable.mjs. The last line is "N passed, N failed, N skipped"; VIGIA_SUMMARY names a file for the same as JSON.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { countRun, FORGIVEN, WITHIN_RUNS } from './unstable.mjs';

const root = path.resolve(import.meta.dirname, '..');
const MAX_UNSTABLE = 2;
// More than that is no coincidence, and would be run for long.
const MAX_REPEATED = 6;

const part = process.env.VIGIA_PART ?? 'first';
const seed = process.env.VIGIA_SEED ?? '1';
const folder = mkdtempSync(path.join(os.tmpdir(), 'vigia-results-'));

function jest(args) {
  const results = path.join(folder, 'results.json');
  rmSync(results, { force: true });
  const { status } = spawnSync(
    'npm',
    ['run', '--silent', 'jest', '--', '--json', `--outputFile=${results}`, ...args],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, VIGIA_PART: part, VIGIA_SEED: seed },
    },
  );
  try {
    return { status, ...JSON.parse(readFileSync(results, 'utf8')) };
  } catch {
    // It ended before it ran a test.
    return { status, numPassedTests: 0, numPendingTests: 0, testResults: [] };
  }
}

const namesOf = (file, status) =>
  file.assertionResults.filter((one) => one.status === status).map(({ fullName }) => fullName);
const isRed = (file) => file.status === 'failed';

console.log(`Part ${part}, seed ${seed}.`);
const run = jest(process.argv.slice(2));
const red = run.testResults.filter(isRed).map(({ name }) => path.relative(root, name));
const unstable = [];
let failed = 0;
let mended = 0;
for (const file of run.testResults.filter(isRed)) {
  // A file that could not be run has no failed tests of its own; it counts as one.
  const count = Math.max(1, namesOf(file, 'failed').length);
  const name = path.relative(root, file.name);
  if (red.length <= MAX_REPEATED) {
    console.log(`\nOnce more, alone: ${name}`);
    const again = jest(['--runInBand', name]);
    if (again.status === 0) {
      unstable.push(name);
      mended += count;
      continue;
    }
  }
  failed += count;
}
const stopped = run.status !== 0 && red.length === 0;
if (stopped) failed += 1;
// A choice of tests says nothing about how often a file is unstable.
const { often, times } =
  process.argv.length > 2 ? { often: [], times: () => 1 } : countRun(root, part, unstable);
failed += often.length;

const skipped = run.testResults.flatMap((file) => namesOf(file, 'pending'));
const lines = [
  ...(stopped ? ['Jest ended without a result.'] : []),
  ...[...new Set(skipped)].map((name) => `Not run: ${name}`),
  ...unstable.map((name) => `UNSTABLE: ${name}${times(name) > 1 ? `, for the ${times(name)}. time` : ''}`),
  ...often.map((name) => `Unstable more than ${FORGIVEN} times in ${WITHIN_RUNS} runs, which fails: ${name}`),
  ...(unstable.length > MAX_UNSTABLE ? [`More than ${MAX_UNSTABLE} files are unstable.`] : []),
  '',
  `${run.numPassedTests + mended} passed, ${failed} failed, ${skipped.length} skipped`,
];
console.log(`\n${lines.join('\n')}`);
if (process.env.VIGIA_CLOSING) appendFileSync(process.env.VIGIA_CLOSING, `${lines.join('\n')}\n`);
if (process.env.VIGIA_SUMMARY) {
  const notRun = [...new Set(skipped)];
  const summary = { passed: run.numPassedTests + mended, failed, skipped: skipped.length, unstable, notRun };
  writeFileSync(process.env.VIGIA_SUMMARY, JSON.stringify(summary));
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed > 0 || unstable.length > MAX_UNSTABLE ? 1 : 0);
