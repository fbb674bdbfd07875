import { createRequire } from 'node:module';

// Jest comes with it; it is no dependency of its own.
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const Sequencer = createRequire(require.resolve('@jest/core'))('@jest/test-sequencer').default;

// Seconds on an idle machine. Jest knows no times in a clean clone and would leave these small files, which mostly wait
// or start processes, for the end, where one of them runs alone.
const LONGEST = [
  ['browser/console.spec.ts', 80],
  ['integration/recovery.spec.ts', 78],
  ['integration/audit-watch.spec.ts', 75],
  ['crash/crash.spec.ts', 60],
  ['contract/fuzz.spec.ts', 45],
  ['integration/webhook-promises.spec.ts', 62],
  ['integration/first-start.spec.ts', 41],
  ['browser/verify-page.spec.ts', 38],
  ['integration/uploads.spec.ts', 38],
  ['integration/sessions-crash.spec.ts', 26],
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => LONGEST.find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;
    return super.sort(tests).sort((one, other) => seconds(other) - seconds(one));
  }
}
