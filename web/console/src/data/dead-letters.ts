/** Transactions that could not be evaluated. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { pageQuery, usePages, type Pages } from './calls/paging.js';
import { live, refresh } from './calls/query.js';

export type DeadLetter = Schemas['ListedDeadLetterView'];

export const useDeadLetters = (discarded: boolean): Pages<DeadLetter> =>
  usePages({
    key: ['dead-letters', discarded],
    refetchInterval: live(30_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/dead-letters', { params: { query: { ...pageQuery(cursor), discarded } } })),
  });

const changed = (): void => {
  refresh(['dead-letters'], ['approvals'], ['home']);
};

export const useReplay = (): UseMutationResult<unknown, Error, string> =>
  useMutation({
    mutationFn: (id) => dataOf(api.POST('/operator/dead-letters/{id}/replay', { params: { path: { id } } })),
    onSuccess: changed,
  });

export const useDiscard = (): UseMutationResult<unknown, Error, { id: string; reason: string }> =>
  useMutation({
    mutationFn: ({ id, reason }) =>
      dataOf(api.POST('/operator/dead-letters/{id}/discard', { params: { path: { id } }, body: { reason } })),
    onSuccess: changed,
  });
