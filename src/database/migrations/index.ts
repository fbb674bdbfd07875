import { Foundation1763600000001 } from './0001-foundation.js';
import { Operators1763600000010 } from './0010-operators.js';
import { IdempotencyKeys1763600000030 } from './0030-idempotency-keys.js';
import { Rulesets1763600000050 } from './0050-rulesets.js';
import { Webhooks1763600000060 } from './0060-webhooks.js';

/** Every migration, in the order it runs. */
export const migrations = [
  Foundation1763600000001,
  Operators1763600000010,
  IdempotencyKeys1763600000030,
  Rulesets1763600000050,
  Webhooks1763600000060,
];
