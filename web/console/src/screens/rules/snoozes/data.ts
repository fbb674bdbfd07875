/** Rules that are silent for a while. */
import type { UseMutationResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../../api/client.js';
import { changing } from '../../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../../data/calls/paging.js';

export type Snooze = Schemas['SnoozeView'];

const useChange = changing('snoozes', 'approvals');

export const useSnoozes = (key: string): Pages<Snooze> =>
  usePages({
    key: ['snoozes', key],
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/rulesets/{key}/snoozes', {
          params: { path: { key }, query: pageQuery(cursor, 20) },
        }),
      ),
  });

/** Takes effect when a second person approves it. */
export const useSnooze = (
  key: string,
): UseMutationResult<unknown, Error, { rule: string; body: Schemas['SnoozeBody'] }> =>
  useChange<{ rule: string; body: Schemas['SnoozeBody'] }, unknown>(({ rule, body }) =>
    dataOf(
      api.POST('/operator/rulesets/{key}/rules/{rule}/snooze', { params: { path: { key, rule } }, body }),
    ),
  );

export const useLiftSnooze = (key: string): UseMutationResult<Snooze, Error, string> =>
  useChange((id) =>
    dataOf(api.POST('/operator/rulesets/{key}/snoozes/{id}/lift', { params: { path: { key, id } } })),
  );
