/** Fields of the house: what the metadata of transactions holds, typed, so that rules can read it. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type Schema = Schemas['HouseSchemaView'];
export type Field = Schemas['HouseFieldBody'];
export type Backfill = Schemas['HouseBackfillView'];

const useChange = changing('house', 'features', 'approvals');

export const useHouse = (): UseQueryResult<Schema> =>
  useQuery({ queryKey: ['house'], queryFn: () => dataOf(api.GET('/operator/house-fields', {})) });

export const useVersions = (): Pages<Schema> =>
  usePages({
    key: ['house', 'versions'],
    ask: (cursor) =>
      answerOf(api.GET('/operator/house-fields/versions', { params: { query: pageQuery(cursor, 20) } })),
  });

export const useBackfills = (): Pages<Backfill> =>
  usePages({
    key: ['house', 'backfills'],
    refetchInterval: live(5_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/house-fields/backfills', { params: { query: pageQuery(cursor, 20) } })),
  });

/** Takes effect when a second person approves it. */
export const useAskForHouse = (): UseMutationResult<unknown, Error, Schemas['HouseFieldsBody']> =>
  useChange<Schemas['HouseFieldsBody'], unknown>((body) =>
    dataOf(api.POST('/operator/house-fields', { body })),
  );

export const useRetry = (): UseMutationResult<unknown, Error, string> =>
  useChange<string, unknown>((id) =>
    dataOf(api.POST('/operator/house-fields/backfills/{id}/retry', { params: { path: { id } } })),
  );
