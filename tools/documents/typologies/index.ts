import type { RuleDefinition } from '../../../src/features/rules/language/index.js';
import { behaviourTypologies } from './behaviour.js';
import { borderTypologies } from './borders-and-assets.js';
import { customerTypologies } from './customer.js';
import { flowTypologies } from './flow.js';
import { networkTypologies } from './network-and-cards.js';
import { structuringTypologies } from './structuring.js';

/**
 * Thirty published typologies as rules to copy. They are no part of br-starter, and nothing publishes them; their
 * thresholds are ours, to be set by the institution that copies them.
 */
export const typologies: readonly RuleDefinition[] = [
  ...structuringTypologies,
  ...flowTypologies,
  ...networkTypologies,
  ...behaviourTypologies,
  ...borderTypologies,
  ...customerTypologies,
];
