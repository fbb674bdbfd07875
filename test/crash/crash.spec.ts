import { describe } from '@jest/globals';
import { expectNothingLost } from '../support/crash-run.js';
import { needs } from '../support/needs.js';

describe('killed, emptied and cut off under load', () => {
  needs('redis').it(
    'the service evaluates what it acknowledged, each transaction once, with its events and a complete trail',
    () => expectNothingLost('--short'),
    900_000,
  );
});
