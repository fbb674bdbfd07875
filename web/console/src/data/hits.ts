/** Hits on lists: one of them beside the entry, and what is decided about it. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { refresh } from './calls/query.js';

export type Hit = Schemas['HitView'];
export type Disposition = Schemas['DispositionBody'];

export const useHit = (id: string): UseQueryResult<Hit> =>
  useQuery({
    queryKey: ['hit', id],
    queryFn: () => dataOf(api.GET('/operator/hits/{id}', { params: { path: { id } } })),
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
