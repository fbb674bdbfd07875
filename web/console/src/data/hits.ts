/** Hits on lists: one of them beside the entry, and what is decided about it. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { Problem } from '../api/problem.js';
import { refresh } from './calls/query.js';

export type Hit = Schemas['HitView'];
export type Disposition = Schemas['DispositionBody'];

export const useHit = (id: string): UseQueryResult<Hit> =>
  useQuery({
    queryKey: ['hit', id],
    queryFn: () => dataOf(api.GET('/operator/hits/{id}', { params: { path: { id } } })),
  });

/** The entry as it is on the list now; null when it is on it no more. */
export const useEntryOf = ({ listId, entryKey }: Hit): UseQueryResult<Schemas['EntryView'] | null> =>
  useQuery({
    queryKey: ['entry', listId, entryKey],
    staleTime: 60_000,
    queryFn: async () => {
      try {
        const path = { id: listId, key: entryKey };
        return await dataOf(api.GET('/operator/lists/{id}/entries/{key}', { params: { path } }));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });

/** Undecided hits of the same entry, among the newest 200 of its list. */
export const useEqualHits = (hit: Hit, enabled: boolean): UseQueryResult<readonly Hit[]> =>
  useQuery({
    queryKey: ['hit', 'equal', hit.id],
    enabled,
    queryFn: async () => {
      const { listId, entryKey, entryHash } = hit;
      const query = { listId, status: 'PENDING', limit: 200 } as const;
      const { data } = await answerOf(api.GET('/operator/hits', { params: { query } }));
      return data.filter(
        (one) => one.id !== hit.id && one.entryKey === entryKey && one.entryHash === entryHash,
      );
    },
  });

/** The same disposition for many hits of one entry; with `preview` it only says what would become of each. */
export const useDisposeMany = (): UseMutationResult<
  Schemas['BulkView'],
  Error,
  Schemas['BulkDispositionBody']
> =>
  useMutation({
    mutationFn: (body) => dataOf(api.POST('/operator/hits/proposals', { body })),
    onSettled: () => {
      refresh(['hit'], ['case'], ['approvals']);
    },
  });

/** Two people close a hit that forces a decision: it is proposed. The others are decided by one. */
export const useDispose = (): UseMutationResult<{ asked: boolean }, Error, { hit: Hit; body: Disposition }> =>
  useMutation({
    mutationFn: async ({ hit, body }) => {
      const params = { path: { id: hit.id } };
      const asked = hit.mandatory && body.disposition !== 'ESCALATED';
      if (asked) await dataOf(api.POST('/operator/hits/{id}/proposals', { params, body }));
      else await dataOf(api.POST('/operator/hits/{id}/disposition', { params, body }));
      return { asked };
    },
    onSettled: () => {
      refresh(['hit'], ['case'], ['approvals']);
    },
  });
