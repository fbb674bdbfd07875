/** Lists of names: what they hold, where it came from, and who would be found on them. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type List = Schemas['ListView'];
export type Import = Schemas['ImportView'];
export type Entry = Schemas['EntryView'];
export type Found = Schemas['SearchResultView'];

export const kinds = ['SANCTIONS', 'PEP', 'DEBARMENT', 'BLOCKLIST', 'ALLOWLIST', 'WATCH'] as const;
export const formats = [
  'HOUSE_CSV',
  'HOUSE_JSON',
  'CGU_PEP_CSV',
  'CEIS_CNEP_CSV',
  'OFAC_SDN_CSV',
  'UN_XML',
  'OPENSANCTIONS_CSV',
] as const;

const path = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const useLists = (): Pages<List> =>
  usePages({
    key: ['lists'],
    refetchInterval: live(30_000),
    ask: (cursor) => answerOf(api.GET('/operator/lists', { params: { query: pageQuery(cursor) } })),
  });

export const useList = (id: string): UseQueryResult<List> =>
  useQuery({ queryKey: ['lists', id], queryFn: () => dataOf(api.GET('/operator/lists/{id}', path(id))) });

export const useEntries = (id: string): Pages<Entry> =>
  usePages({
    key: ['lists', id, 'entries'],
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/lists/{id}/entries', { params: { path: { id }, query: pageQuery(cursor) } }),
      ),
  });

export const useImports = (id: string): Pages<Import> =>
  usePages({
    key: ['lists', id, 'imports'],
    refetchInterval: live(5_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/lists/{id}/imports', { params: { path: { id }, query: pageQuery(cursor, 20) } }),
      ),
  });

export const useImport = (id: string, importId: string): UseQueryResult<Schemas['ImportDetailView']> =>
  useQuery({
    queryKey: ['lists', id, 'imports', importId],
    refetchInterval: live(5_000),
    queryFn: () =>
      dataOf(api.GET('/operator/lists/{id}/imports/{importId}', { params: { path: { id, importId } } })),
  });

const useChange = changing('lists', 'approvals');

export const useNewList = (): UseMutationResult<List, Error, Schemas['ListBody']> =>
  useChange((body) => dataOf(api.POST('/operator/lists', { body })));

export const useChangeList = (id: string): UseMutationResult<unknown, Error, Schemas['ListChangeBody']> =>
  useChange((body) => dataOf(api.POST('/operator/lists/{id}/changes', { ...path(id), body })));

export const useUpload = (
  id: string,
): UseMutationResult<Import, Error, { file: File; aliases: File | null; look: boolean }> =>
  useChange(({ file, aliases, look }) => {
    const form = new FormData();
    // The service reads the choice before the files.
    form.append('confirmation', look ? 'ALWAYS' : 'ON_SHRINK');
    form.append('file', file);
    if (aliases !== null) form.append('aliases', aliases);
    return dataOf(
      // The document describes a file as a text; what goes out is the form.
      api.POST('/operator/lists/{id}/imports', { ...path(id), body: form as never }),
    );
  });

export const useJudgeImport = (
  id: string,
): UseMutationResult<unknown, Error, { importId: string; confirm: boolean; reason: string }> =>
  useChange<{ importId: string; confirm: boolean; reason: string }, unknown>(
    ({ importId, confirm, reason }) => {
      const params = { path: { id, importId } };
      return confirm
        ? dataOf(api.POST('/operator/lists/{id}/imports/{importId}/confirm', { params, body: { reason } }))
        : dataOf(api.POST('/operator/lists/{id}/imports/{importId}/reject', { params }));
    },
  );

export const useScreen = (): UseMutationResult<readonly Found[], Error, Schemas['SearchBody']> =>
  // Kept no longer than it is looked at.
  useMutation({ gcTime: 0, mutationFn: (body) => dataOf(api.POST('/operator/screening/search', { body })) });
