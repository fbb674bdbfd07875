import { DEFAULT_BODY_RULES } from '../../../../platform/http/index.js';
import { MAX_BATCH_ITEMS } from '../../ingest/batches/batch-items.js';

const { limits } = DEFAULT_BODY_RULES;

/** A batch is an array of submissions: one level deeper than a submission, with the keys of all its items. */
export const BATCH_BODY = {
  maxBytes: 8 * 1_024 * 1_024,
  limits: { ...limits, maxDepth: limits.maxDepth + 1, maxKeys: MAX_BATCH_ITEMS * limits.maxKeys },
  ndjson: true,
};
