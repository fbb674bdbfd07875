import { createRequire } from 'node:module';

// Jest comes with it; it is no dependency of its own.
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const Sequencer = createRequire(require.resolve('@jest/core'))('@jest/test-sequencer').default;

// Seconds on an idle machine. Jest knows no times in a clean clone and would leave these small files, which mostly wait
// or start processes, for the end, where one of them runs alone.
const LONGEST = [
  ['integration/uploads.spec.ts', 60],
  ['contract/authentication.spec.ts', 45],
  ['contract/operator-login.spec.ts', 40],
  ['integration/screening.spec.ts', 35],
  ['integration/session-checks.spec.ts', 33],
  ['e2e/audit-package.spec.ts', 33],
  ['integration/rulesets.spec.ts', 32],
  ['integration/sandbox-scenarios.spec.ts', 32],
  ['browser/console-story.spec.ts', 30],
  ['contract/access-matrix.spec.ts', 27],
  ['integration/workspace.spec.ts', 26],
  ['integration/attacks.spec.ts', 25],
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path }) => LONGEST.find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;
    return super.sort(tests).sort((one, other) => seconds(other) - seconds(one));
  }
}
