/** Look-backs: what is new, run over what was judged before it was there. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type LookBack = Schemas['LookBackView'];

/** A version of the rules, or a list. */
export type Judge =
  | { readonly kind: 'RULESET'; readonly key: string; readonly version: number }
  | { readonly kind: 'LIST'; readonly id: string; readonly name: string };

const useChange = changing('look-backs', 'approvals');

export const useLookBacks = (): Pages<LookBack> =>
  usePages({
    key: ['look-backs'],
    refetchInterval: live(5_000),
    ask: (cursor) => answerOf(api.GET('/operator/look-backs', { params: { query: pageQuery(cursor, 50) } })),
  });

export const useLookBack = (id: string): UseQueryResult<LookBack> =>
  useQuery({
    queryKey: ['look-backs', id],
    refetchInterval: live(2_000),
    queryFn: () => dataOf(api.GET('/operator/look-backs/{id}', { params: { path: { id } } })),
  });

/** Begins when a second person approves it. */
export const useAskForLookBack = (): UseMutationResult<
  unknown,
  Error,
  { judge: Judge; body: Schemas['LookBackBody'] }
> =>
  useChange<{ judge: Judge; body: Schemas['LookBackBody'] }, unknown>(({ judge, body }) =>
    judge.kind === 'LIST'
      ? dataOf(api.POST('/operator/lists/{id}/look-backs', { params: { path: { id: judge.id } }, body }))
      : dataOf(
          api.POST('/operator/rulesets/{key}/versions/{version}/look-backs', {
            params: { path: { key: judge.key, version: judge.version } },
            body,
          }),
        ),
  );

export const useCallOff = (): UseMutationResult<LookBack, Error, string> =>
  useChange((id) => dataOf(api.POST('/operator/look-backs/{id}/cancel', { params: { path: { id } } })));
