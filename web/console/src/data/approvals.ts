/** Requests that need a second person. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { pageQuery, usePages, type Pages } from './calls/paging.js';
import { live, queries } from './calls/query.js';

export type Approval = Schemas['ApprovalView'];

export const inboxes = ['TO_APPROVE', 'MINE', 'DONE', 'ALL'] as const;
export type Inbox = (typeof inboxes)[number];

export const useApprovals = (inbox: Inbox): Pages<Approval> =>
  usePages({
    key: ['approvals', inbox],
    refetchInterval: live(15_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/approvals', { params: { query: { ...pageQuery(cursor), inbox } } })),
  });

export const useApproval = (id: string | null): UseQueryResult<Approval> =>
  useQuery({
    queryKey: ['approvals', 'one', id],
    enabled: id !== null,
    queryFn: () => dataOf(api.GET('/operator/approvals/{id}', { params: { path: { id: id ?? '' } } })),
  });

export type Verdict =
  | { readonly kind: 'APPROVE'; readonly singleControl?: boolean }
  | { readonly kind: 'REFUSE' | 'WITHDRAW'; readonly reason: string };

/** Decides about exactly the request that was read: its digest goes along. */
export const useJudge = (): UseMutationResult<Approval, Error, { approval: Approval; verdict: Verdict }> =>
  useMutation({
    mutationFn: ({ approval: { id, digest }, verdict }) => {
      const params = { path: { id } };
      if (verdict.kind === 'APPROVE') {
        const alone = verdict.singleControl === true ? { singleControl: true } : {};
        return dataOf(api.POST('/operator/approvals/{id}/approve', { params, body: { digest, ...alone } }));
      }
      const body = { reason: verdict.reason };
      return verdict.kind === 'REFUSE'
        ? dataOf(api.POST('/operator/approvals/{id}/refuse', { params, body }))
        : dataOf(api.POST('/operator/approvals/{id}/withdraw', { params, body }));
    },
    // Whatever was decided may have changed anything.
    onSettled: () => {
      void queries.invalidateQueries();
    },
  });
