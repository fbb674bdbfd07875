import { it } from '@jest/globals';
import { expectNothingLost } from '../support/crash-run.js';

it(
  'a service of which a process is killed evaluates what it acknowledged, once',
  () => expectNothingLost('--first', '--seed=1'),
  180_000,
);
