/** The audit log: what happened, whether it is whole, and how it is taken along. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type Entry = Schemas['AuditEventView'];
export type Subject = Entry['subjectType'];
export type Export = Schemas['ExportView'];
export type Finding = Schemas['FindingView'];

export interface EntryFilter {
  readonly subjectType?: Subject;
  readonly subjectId?: string;
  readonly action?: string;
}

export const useStatus = (): UseQueryResult<Schemas['AuditStatusView']> =>
  useQuery({
    queryKey: ['audit', 'status'],
    refetchInterval: live(30_000),
    queryFn: () => dataOf(api.GET('/operator/audit/status', {})),
  });

export const useFindings = (): Pages<Finding> =>
  usePages({
    key: ['audit', 'findings'],
    refetchInterval: live(60_000),
    ask: (cursor) => answerOf(api.GET('/operator/audit/gaps', { params: { query: pageQuery(cursor) } })),
  });

export const useEntries = (filter: EntryFilter): Pages<Entry> =>
  usePages({
    key: ['audit', 'entries', filter],
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/audit/events', { params: { query: { ...pageQuery(cursor, 50), ...filter } } }),
      ),
  });

export const useTrail = (subjectType: Subject, subjectId: string): UseQueryResult<Schemas['TrailView']> =>
  useQuery({
    queryKey: ['audit', 'trail', subjectType, subjectId],
    queryFn: () =>
      dataOf(
        api.GET('/operator/audit/trails/{subjectType}/{subjectId}', {
          params: { path: { subjectType, subjectId } },
        }),
      ),
  });

export const useExports = (): Pages<Export> =>
  usePages({
    key: ['audit', 'exports'],
    refetchInterval: live(5_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/audit/exports', { params: { query: pageQuery(cursor, 20) } })),
  });

const useChange = changing('audit', 'approvals');

export const useNewExport = (): UseMutationResult<Export, Error, Schemas['ExportBody']> =>
  useChange((body) => dataOf(api.POST('/operator/audit/exports', { body })));

export const useRepair = (): UseMutationResult<unknown, Error, Schemas['RepairBody']> =>
  useChange((body) => dataOf(api.POST('/operator/audit/repairs', { body })));
