import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

// Jest comes with it; it is no dependency of its own.
const require = createRequire(createRequire(import.meta.url).resolve('jest'));
const Sequencer = createRequire(require.resolve('@jest/core'))('@jest/test-sequencer').default;

// Seconds on an idle machine. Jest knows no times in a clean clone and would leave these small files, which mostly wait
// or start processes, for the end, where one of them runs alone.
const LONGEST = [
  ['crash/kill.spec.ts', 40],
  ['contract/ingest.spec.ts', 30],
  ['integration/screening.spec.ts', 29],
  ['browser/console-story.spec.ts', 28],
  ['contract/access-matrix.spec.ts', 27],
  ['contract/audited-routes.spec.ts', 26],
  ['integration/rulesets.spec.ts', 25],
  ['integration/reviews.spec.ts', 24],
  ['contract/authentication.spec.ts', 23],
  ['integration/workspace.spec.ts', 20],
  ['integration/uploads.spec.ts', 20],
];

const shuffle = process.env.VIGIA_SHUFFLE;

/** The longest first; with VIGIA_SHUFFLE=SEED in another order, which no file may depend on. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    if (shuffle !== undefined) {
      const place = ({ path }) => createHash('sha256').update(`${shuffle} ${path}`).digest('hex');
      return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
    }
    const seconds = ({ path }) => LONGEST.find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;
    return super.sort(tests).sort((one, other) => seconds(other) - seconds(one));
  }
}
