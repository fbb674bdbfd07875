import { createRequire } from 'node:module';

// Jest comes with it; it is no dependency of its own.
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const Sequencer = createRequire(require.resolve('@jest/core'))('@jest/test-sequencer').default;

// Seconds on an idle machine. Jest knows no times in a clean clone and would leave these small files, which mostly wait
// or start processes, for the end, where one of them runs alone.
const LONGEST = [
  ['contract/authentication.spec.ts', 40],
  ['integration/uploads.spec.ts', 35],
  ['contract/ingest.spec.ts', 35],
  ['crash/kill.spec.ts', 34],
  ['browser/console-story.spec.ts', 32],
  ['integration/rulesets.spec.ts', 32],
  ['integration/screening.spec.ts', 30],
  ['integration/workspace.spec.ts', 26],
  ['integration/reviews.spec.ts', 25],
  ['contract/audited-routes.spec.ts', 24],
  ['contract/access-matrix.spec.ts', 24],
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => LONGEST.find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;
    return super.sort(tests).sort((one, other) => seconds(other) - seconds(one));
  }
}
