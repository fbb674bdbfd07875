/** Providers: who checks documents, faces and addresses for the institution, how they do and what they cost. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { live } from '../../data/calls/query.js';

export type Provider = Schemas['ProviderView'];
type Wanted = Schemas['ProviderBody'];
export type Check = Wanted['checks'][number];

const all: Readonly<Record<Check, true>> = {
  DOCUMENT: true,
  FACE_MATCH: true,
  LIVENESS: true,
  RECEITA: true,
  ADDRESS: true,
  ONE_TIME_CODE: true,
};
export const checks = Object.keys(all) as readonly Check[];

const useChange = changing('providers', 'approvals');
const path = (name: string): { params: { path: { name: string } } } => ({ params: { path: { name } } });

export const useProviders = (): UseQueryResult<readonly Provider[]> =>
  useQuery({
    queryKey: ['providers'],
    refetchInterval: live(15_000),
    queryFn: async () => (await dataOf(api.GET('/operator/providers', {}))).providers,
  });

/** Takes effect when a second person approves it. */
export const useAskForProvider = (): UseMutationResult<unknown, Error, Wanted> =>
  useChange((body: Wanted) => dataOf(api.POST('/operator/providers', { body })) as Promise<unknown>);

export const useDisable = (): UseMutationResult<unknown, Error, string> =>
  useChange(
    (name: string) => dataOf(api.POST('/operator/providers/{name}/disable', path(name))) as Promise<unknown>,
  );

export const useSecret = (): UseMutationResult<Schemas['ProviderSecretView'], Error, string> =>
  useChange((name) => dataOf(api.POST('/operator/providers/{name}/secret', path(name))));
