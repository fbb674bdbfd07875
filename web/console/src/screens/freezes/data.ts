/** Freezes: what a confirmed designation holds, whom it was told to, and how it ends. */
import type { UseMutationResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';

export type Freeze = Schemas['FreezeView'];
type Notice = Schemas['NoticeBody'];

const told: Readonly<Record<Notice['told'], true>> = {
  MJSP: true,
  COAF: true,
  BCB: true,
  CVM: true,
  SUSEP: true,
  COURT: true,
  OTHER: true,
};
/** Whom a freeze is told to. */
export const authorities = Object.keys(told) as readonly Notice['told'][];

const useChange = changing('freezes', 'approvals');

export const useFreezes = (): Pages<Freeze> =>
  usePages({
    key: ['freezes'],
    ask: (cursor) => answerOf(api.GET('/operator/freezes', { params: { query: pageQuery(cursor) } })),
  });

export const useNotice = (): UseMutationResult<Freeze, Error, { id: string; body: Notice }> =>
  useChange(({ id, body }) =>
    dataOf(api.POST('/operator/freezes/{id}/notices', { params: { path: { id } }, body })),
  );

/** Takes effect when a second person approves it. */
export const useLift = (): UseMutationResult<unknown, Error, { id: string; reason: string }> =>
  useChange<{ id: string; reason: string }, unknown>(({ id, reason }) =>
    dataOf(api.POST('/operator/freezes/{id}/lift', { params: { path: { id } }, body: { reason } })),
  );
