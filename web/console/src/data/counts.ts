/** How many things wait; read at first, and then told by the stream. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { number } from '../texts/formats.js';
import { live } from './calls/query.js';

export type Counts = Schemas['CountsView'];

export const useCounts = (): UseQueryResult<Counts> =>
  useQuery({
    queryKey: ['counts'],
    refetchInterval: live(60_000),
    queryFn: () => dataOf(api.GET('/operator/counts', {})),
  });

/** A count as it is shown: the service stops counting at `most`, and null is what this person may not know. */
export function countText(counts: Counts | undefined, name: Exclude<keyof Counts, 'most'>): string | null {
  const count = counts?.[name];
  if (count === undefined || count === null || count === 0) return null;
  return counts !== undefined && count >= counts.most ? `${number(counts.most)}+` : number(count);
}
