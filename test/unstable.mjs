/**
 * Counts over runs which files were unstable. What passed when it was run once more is forgiven, but not for ever: the
 * third time within twenty runs of a part it counts as failed. The counts are in `.data/unstable.json`, or in the file that
 * VIGIA_UNSTABLE names: a clean clone has no `.data`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const WITHIN_RUNS = 20;
export const FORGIVEN = 2;

/** The counts after one more run of a part, and the files that are not forgiven any more. */
export function counted(counts, part, unstable) {
  const { runs = 0, seen = {} } = counts[part] ?? {};
  const run = runs + 1;
  const recent = Object.entries(seen)
    .map(([file, at]) => [file, at.filter((one) => one > run - WITHIN_RUNS)])
    .filter(([file, at]) => at.length > 0 || unstable.includes(file));
  const now = Object.fromEntries(recent);
  for (const file of unstable) now[file] = [...(now[file] ?? []), run];
  return {
    counts: { ...counts, [part]: { runs: run, seen: now } },
    often: unstable.filter((file) => now[file].length > FORGIVEN),
    times: (file) => now[file].length,
  };
}

const fileOf = (root) => process.env.VIGIA_UNSTABLE ?? path.join(root, '.data/unstable.json');

/** Counts a run of a part where the counts are kept. */
export function countRun(root, part, unstable) {
  const file = fileOf(root);
  let before = {};
  try {
    before = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The first run here.
    if (error.code !== 'ENOENT') throw error;
  }
  const result = counted(before, part, unstable);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result.counts, null, 2)}\n`);
  return result;
}
