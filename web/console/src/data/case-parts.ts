/** Adds transactions and people to a case, takes them out, and splits a case. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { changing } from './calls/change.js';

const useChange = changing('cases', 'case', 'home');

const of = (id: string): { readonly path: { readonly id: string } } => ({ path: { id } });

export const useAddTransactions = (
  id: string,
): UseMutationResult<unknown, Error, { transactions: string[]; reason: string }> =>
  useChange((body) => dataOf(api.POST('/operator/reviews/{id}/transactions', { params: of(id), body })));

/** Payments around the alerts that are not in the case; a case that is communicated has them, or its decision says why not. */
export const useRelated = (
  id: string,
  enabled: boolean,
): UseQueryResult<Schemas['RelatedTransactionsView']> =>
  useQuery({
    queryKey: ['case', id, 'related'],
    enabled,
    queryFn: () => dataOf(api.GET('/operator/reviews/{id}/related-transactions', { params: of(id) })),
  });

/** Adds all of them; the answer is the case with them. */
export const useAddRelated = (
  id: string,
): UseMutationResult<{ readonly revision: number }, Error, { reason: string }> =>
  useChange((body) =>
    dataOf(api.POST('/operator/reviews/{id}/related-transactions', { params: of(id), body })),
  );

export const useAddPeople = (
  id: string,
): UseMutationResult<unknown, Error, { customers: string[]; reason: string }> =>
  useChange((body) => dataOf(api.POST('/operator/reviews/{id}/people', { params: of(id), body })));

/** Takes a transaction or a person out again that somebody has added. */
export const useTakeOut = (
  id: string,
): UseMutationResult<unknown, Error, { what: 'transaction' | 'customer'; which: string; reason: string }> =>
  useChange(({ what, which, reason }) =>
    what === 'transaction'
      ? dataOf(
          api.POST('/operator/reviews/{id}/transactions/{transaction}/remove', {
            params: { path: { id, transaction: which } },
            body: { reason },
          }),
        )
      : dataOf(
          api.POST('/operator/reviews/{id}/people/{customer}/remove', {
            params: { path: { id, customer: which } },
            body: { reason },
          }),
        ),
  );

/** Makes a case of its own of some transactions and hits. */
export const useSplit = (
  id: string,
): UseMutationResult<{ id: string }, Error, { transactions: string[]; hits: string[]; reason: string }> =>
  useChange(({ transactions, hits, reason }) =>
    dataOf(
      api.POST('/operator/reviews/{id}/split', {
        params: of(id),
        body: {
          reason,
          ...(transactions.length > 0 && { transactions }),
          ...(hits.length > 0 && { hits }),
        },
      }),
    ),
  );
