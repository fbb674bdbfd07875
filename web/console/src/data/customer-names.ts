/** The names of customers for lists: those of all rows are one call. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import type { CustomerRow } from './customers.js';

const MOST = 100;
// The rows of a list are drawn together.
const GATHER_MS = 10;

interface Waiting {
  readonly id: string;
  readonly resolve: (row: CustomerRow | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

async function readAll(asked: readonly Waiting[]): Promise<void> {
  const ids = [...new Set(asked.map(({ id }) => id))];
  try {
    const { data } = await answerOf(api.GET('/operator/customers', { params: { query: { ids } } }));
    const known = new Map(data.map((row) => [row.id, row]));
    for (const { id, resolve } of asked) resolve(known.get(id) ?? null);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

function gather(id: string): Promise<CustomerRow | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) {
      setTimeout(() => {
        const all = waiting;
        waiting = [];
        for (let at = 0; at < all.length; at += MOST) void readAll(all.slice(at, at + MOST));
      }, GATHER_MS);
    }
    waiting.push({ id, resolve, reject });
  });
}

/** The customer of an id; null for one who was erased, or went into another record. */
export const useCustomerRow = (id: string | null): UseQueryResult<CustomerRow | null> =>
  useQuery({
    queryKey: ['customers', 'row', id],
    enabled: id !== null,
    staleTime: 60_000,
    queryFn: () => gather(id ?? ''),
  });
