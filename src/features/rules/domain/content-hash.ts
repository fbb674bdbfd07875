import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/kernel/values/canonical-json.js';

/** SHA-256 over the canonical JSON of a rule or ruleset, in hexadecimal: equal content, equal hash. */
export const contentHashOf = (content: object): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');
