import {
  DEFAULT_BODY_RULES,
  errorView,
  NdjsonBody,
  parseLimitedJson,
  payloadTooLarge,
  toDomainError,
  type ErrorView,
} from '../../../../platform/http/index.js';
import { errorCodes, invalid, type DomainError } from '../../../../platform/kernel/index.js';
import type { RequestContext } from '../../../../platform/telemetry/index.js';

export const MAX_BATCH_ITEMS = 1_000;

/** A refused item: the same answer as for a single submission. */
export interface RefusedItem {
  readonly status: number;
  readonly error: ErrorView;
}

/** Returns the items of a body: a JSON array, or one JSON value per line. */
export function batchItemsOf(body: unknown): readonly unknown[] {
  const items: unknown = body instanceof NdjsonBody ? body.lines : body;
  if (!Array.isArray(items)) throw invalidBody('TYPE_INVALID', 'The body must be a JSON array or NDJSON.');
  if (items.length === 0) throw invalidBody('TOO_FEW_ITEMS', 'The batch is empty.');
  if (items.length > MAX_BATCH_ITEMS) {
    throw invalidBody('TOO_MANY_ITEMS', `A batch holds at most ${MAX_BATCH_ITEMS} items.`);
  }
  return items;
}

/** Accepts each item alone, in order: a bad item does not affect the others. An internal error fails the whole request. */
export const acceptEach = <Accepted>(
  items: readonly unknown[],
  context: RequestContext,
  baseUrl: string,
  accept: (value: unknown) => Promise<Accepted>,
): Promise<(Accepted | RefusedItem)[]> =>
  Promise.all(
    items.map(async (item) => {
      try {
        return await accept(parseItem(item));
      } catch (thrown) {
        const error = toDomainError(thrown);
        // The caller sends all items again.
        if (error.code === 'INTERNAL_ERROR') throw thrown;
        return { status: errorCodes[error.code].status, error: errorView(error, context, baseUrl) };
      }
    }),
  );

/** Parses a line of NDJSON under the limits of a single submission; an error refuses only this item. */
function parseItem(item: unknown): unknown {
  if (!Buffer.isBuffer(item)) return item;
  if (item.length > DEFAULT_BODY_RULES.maxBytes) throw payloadTooLarge(DEFAULT_BODY_RULES.maxBytes);
  return parseLimitedJson(item, DEFAULT_BODY_RULES.limits);
}

const invalidBody = (code: string, message: string): DomainError => invalid('', code, message);
