import { it } from '@jest/globals';
import { expectNothingLost } from '../support/crash-run.js';

it(
  'a service that is killed four times evaluates what it acknowledged, once',
  () => expectNothingLost('--only=kills', '--seed=1'),
  180_000,
);
