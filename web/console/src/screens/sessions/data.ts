/** Verification sessions: links that people of the organisation make, and how far each of them came. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type Session = Schemas['SessionView'];
export type Issued = Schemas['IssuedLinkView'];
export type Revealed = Schemas['SessionEvidenceView'];

export const statuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'EXPIRED'] as const;

export interface SessionFilter {
  readonly status?: (typeof statuses)[number];
  readonly flowKey?: string;
}

export const useSessions = (filter: SessionFilter): Pages<Session> =>
  usePages({
    key: ['sessions', filter],
    refetchInterval: live(15_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/kyc-sessions', { params: { query: { ...pageQuery(cursor, 50), ...filter } } }),
      ),
  });

export const useSession = (id: string): UseQueryResult<Session> =>
  useQuery({
    queryKey: ['session', id],
    refetchInterval: live(5_000),
    queryFn: () => dataOf(api.GET('/operator/kyc-sessions/{id}', { params: { path: { id } } })),
  });

const useChange = changing('sessions', 'session');

export const useNewSession = (): UseMutationResult<Issued, Error, Schemas['NewOperatorSessionBody']> =>
  useChange((body) => dataOf(api.POST('/operator/kyc-sessions', { body })));

export const useCancelSession = (id: string): UseMutationResult<Session> =>
  useChange(() => dataOf(api.POST('/operator/kyc-sessions/{id}/cancel', { params: { path: { id } } })));

export const useRevealAnswers = (id: string): UseMutationResult<Revealed, Error, string> =>
  useChange((reason) =>
    dataOf(
      api.POST('/operator/kyc-sessions/{id}/evidence/reveal', { params: { path: { id } }, body: { reason } }),
    ),
  );
