/**
 * `npm run bench -- promises`: the part `measures` of test/stages.mjs, which holds what is promised in seconds, bytes and
 * rates and needs the machine for itself for hours. `-- promises test/heavy/search.spec.ts` runs some files of it;
 * `-- promises --write` documents all of it in docs/performance.md. Exit status 1: a promise is not kept.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { lastSection, whenAndWhere, writeSection } from './document.mjs';
import { root } from './release.mjs';

const TITLE = 'Promises';
export const lastPromises = () => lastSection(TITLE);

export function promisesBench(argv) {
  const files = argv.filter((arg) => arg !== '--write');
  const write = files.length < argv.length;
  if (write && files.length > 0) throw new Error('--write documents all promises: name no files');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vigia-promises-'));
  const [measured, summary] = ['measured', 'summary.json'].map((name) => path.join(folder, name));
  fs.writeFileSync(measured, '');
  const env = {
    ...process.env,
    ...{ VIGIA_PART: 'measures', VIGIA_HEAVY: '1', VIGIA_MEASURED: measured, VIGIA_SUMMARY: summary },
  };
  const begun = Date.now();
  const { status } = spawnSync('node', ['test/run.mjs', ...files], { cwd: root, stdio: 'inherit', env });
  const minutes = Math.round((Date.now() - begun) / 60_000);
  const { passed, failed } = JSON.parse(fs.readFileSync(summary, 'utf8'));
  const lines = fs
    .readFileSync(measured, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ file, text }) => `- \`${file}\`: ${text}`);
  fs.rmSync(folder, { recursive: true });
  const section = [
    `${whenAndWhere()}, ${minutes} minutes: ${passed} kept, ${failed} not kept.`,
    ...lines.toSorted(),
  ];
  process.stdout.write(`\n${section.join('\n')}\n`);
  if (write) {
    const [head, ...rest] = section;
    writeSection(TITLE, `${head}\n\n${rest.join('\n')}`);
  }
  process.exitCode = status ?? 1;
}
