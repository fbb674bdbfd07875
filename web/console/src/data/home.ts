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

export type Pipeline = Schemas['PipelineView'];

/** The last 24 hours of transactions, and what waits now. */
export const usePipeline = (enabled: boolean): UseQueryResult<Pipeline> =>
  useQuery({
    queryKey: ['home', 'pipeline'],
    enabled,
    refetchInterval: live(20_000),
    queryFn: () => dataOf(api.GET('/operator/transactions/pipeline', {})),
  });

/** Whether the audit trail is whole, and when it was signed last. */
export const useTrail = (
  enabled: boolean,
): UseQueryResult<{ readonly gaps: number; readonly status: Schemas['AuditStatusView'] }> =>
  useQuery({
    queryKey: ['home', 'trail'],
    enabled,
    refetchInterval: live(MINUTE),
    queryFn: async () => {
      const [status, gaps] = await Promise.all([
        dataOf(api.GET('/operator/audit/status', {})),
        answerOf(api.GET('/operator/audit/gaps', { params: { query: { limit: 100 } } })),
      ]);
      return { gaps: gaps.data.length, status };
    },
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
