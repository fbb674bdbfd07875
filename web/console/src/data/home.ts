/** The figures of the first screen. One hook for each: a slow or forbidden one does not hold up the others. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { live } from './calls/query.js';

const MINUTE = 60_000;

export type Figures = Schemas['ComplianceFiguresView'];

/** A list as far as one page shows it: `more` says that there are more than these. */
export interface Few<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

const few = <T>(answer: { data: readonly T[]; page: { hasMore: boolean } }): Few<T> => ({
  items: answer.data,
  more: answer.page.hasMore,
});

export const useMyCases = (me: string, enabled: boolean): UseQueryResult<Few<Schemas['CaseRowView']>> =>
  useQuery({
    queryKey: ['home', 'cases', me],
    enabled,
    refetchInterval: live(15_000),
    queryFn: async () =>
      few(await answerOf(api.GET('/operator/reviews', { params: { query: { assignee: me, limit: 200 } } }))),
  });

export const useApprovalsForMe = (): UseQueryResult<Few<Schemas['ApprovalView']>> =>
  useQuery({
    queryKey: ['home', 'approvals'],
    refetchInterval: live(15_000),
    queryFn: async () =>
      few(
        await answerOf(
          api.GET('/operator/approvals', { params: { query: { inbox: 'TO_APPROVE', limit: 200 } } }),
        ),
      ),
  });

export const useFigures = (enabled: boolean): UseQueryResult<Figures> =>
  useQuery({
    queryKey: ['home', 'figures'],
    enabled,
    refetchInterval: live(5 * MINUTE),
    queryFn: () => dataOf(api.GET('/operator/figures/compliance', { params: { query: {} } })),
  });

export const useLists = (enabled: boolean): UseQueryResult<Few<Schemas['ListView']>> =>
  useQuery({
    queryKey: ['home', 'lists'],
    enabled,
    refetchInterval: live(5 * MINUTE),
    queryFn: async () =>
      few(await answerOf(api.GET('/operator/lists', { params: { query: { limit: 200 } } }))),
  });

export const useDeadLetterCount = (enabled: boolean): UseQueryResult<Few<Schemas['DeadLetterView']>> =>
  useQuery({
    queryKey: ['home', 'dead-letters'],
    enabled,
    refetchInterval: live(MINUTE),
    queryFn: async () =>
      few(await answerOf(api.GET('/operator/dead-letters', { params: { query: { limit: 200 } } }))),
  });

/** The oldest transaction that still waits; null when none does. */
export const useQueued = (enabled: boolean): UseQueryResult<Few<Schemas['DeskTransactionView']>> =>
  useQuery({
    queryKey: ['home', 'queued'],
    enabled,
    refetchInterval: live(10_000),
    queryFn: async () =>
      few(
        await answerOf(
          api.GET('/operator/transactions', { params: { query: { status: 'QUEUED', limit: 200 } } }),
        ),
      ),
  });

export const useEndpoints = (
  enabled: boolean,
): UseQueryResult<
  readonly { endpoint: Schemas['EndpointView']; statistics: Schemas['EndpointStatisticsView'] }[]
> =>
  useQuery({
    queryKey: ['home', 'webhooks'],
    enabled,
    refetchInterval: live(MINUTE),
    queryFn: async () => {
      const { data } = await answerOf(
        api.GET('/operator/webhook-endpoints', { params: { query: { limit: 20 } } }),
      );
      return Promise.all(
        data.map(async (endpoint) => ({
          endpoint,
          statistics: await dataOf(
            api.GET('/operator/webhook-endpoints/{id}/statistics', { params: { path: { id: endpoint.id } } }),
          ),
        })),
      );
    },
  });
