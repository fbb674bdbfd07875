/** Custom fields: what the metadata of transactions holds, typed, so that rules can read it. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type Schema = Schemas['CustomFieldSchemaView'];
export type Field = Schemas['CustomFieldBody'];
export type Backfill = Schemas['CustomFieldBackfillView'];

const useChange = changing('custom-fields', 'features', 'approvals');

export const useCustomFields = (): UseQueryResult<Schema> =>
  useQuery({ queryKey: ['custom-fields'], queryFn: () => dataOf(api.GET('/operator/custom-fields', {})) });

export const useVersions = (): Pages<Schema> =>
  usePages({
    key: ['custom-fields', 'versions'],
    ask: (cursor) =>
      answerOf(api.GET('/operator/custom-fields/versions', { params: { query: pageQuery(cursor, 20) } })),
  });

export const useBackfills = (): Pages<Backfill> =>
  usePages({
    key: ['custom-fields', 'backfills'],
    refetchInterval: live(5_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/custom-fields/backfills', { params: { query: pageQuery(cursor, 20) } })),
  });

/** Takes effect when a second person approves it. */
export const useAskForCustomFields = (): UseMutationResult<unknown, Error, Schemas['CustomFieldsBody']> =>
  useChange<Schemas['CustomFieldsBody'], unknown>((body) =>
    dataOf(api.POST('/operator/custom-fields', { body })),
  );

export const useRetry = (): UseMutationResult<unknown, Error, string> =>
  useChange<string, unknown>((id) =>
    dataOf(api.POST('/operator/custom-fields/backfills/{id}/retry', { params: { path: { id } } })),
  );
