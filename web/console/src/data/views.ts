/** Filters of the queue that people keep, for themselves or for all. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { refresh } from './calls/query.js';

export type SavedView = Schemas['SavedViewView'];

export const useSavedViews = (): UseQueryResult<readonly SavedView[]> =>
  useQuery({
    queryKey: ['views'],
    staleTime: 60_000,
    queryFn: async () => (await dataOf(api.GET('/operator/views', {}))).views,
  });

const changed = (): void => {
  refresh(['views']);
};

export const useSaveView = (): UseMutationResult<unknown, Error, Schemas['SavedViewBody']> =>
  useMutation({
    mutationFn: (body) => dataOf(api.POST('/operator/views', { body })),
    onSuccess: changed,
  });

export const useRemoveView = (): UseMutationResult<unknown, Error, string> =>
  useMutation({
    mutationFn: (id) => dataOf(api.DELETE('/operator/views/{id}', { params: { path: { id } } })),
    onSuccess: changed,
  });
