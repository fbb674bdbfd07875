/** A transaction of the past judged anew, by what is in force now, with facts as somebody supposes them. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.js';
import { numberFrom } from '../texts/numbers.js';

export type Tried = Schemas['DryRunView'];
export type Feature = Schemas['FeatureView'];

const askForFacts = {
  queryKey: ['features'],
  staleTime: Infinity,
  queryFn: (): Promise<Schemas['FeaturesView']> => dataOf(api.GET('/operator/rules/features', {})),
};

export const useFeatures = (enabled = true): UseQueryResult<readonly Feature[]> =>
  useQuery({ ...askForFacts, enabled, select: ({ features }) => features });

/** All that a rule may declare over earlier transactions. */
export const useVocabulary = (): UseQueryResult<Schemas['AggregateVocabularyView']> =>
  useQuery({ ...askForFacts, select: ({ aggregates }) => aggregates });

export type Assumed = Readonly<Record<string, unknown>>;

/** Twice: as it is, and with what is supposed, so that the two can be compared. Nothing of it is kept. */
export const useWhatIf = (id: string): UseMutationResult<{ before: Tried; after: Tried }, Error, Assumed> =>
  useMutation({
    mutationFn: async (assume) => {
      const file = await dataOf(api.GET('/operator/transactions/{id}', { params: { path: { id } } }));
      const transaction = file.submission as unknown as Schemas['DryRunBody']['transaction'];
      const run = (body: Schemas['DryRunBody']): Promise<Tried> =>
        dataOf(api.POST('/operator/rules/dry-run', { body }));
      const [before, after] = await Promise.all([run({ transaction }), run({ transaction, assume })]);
      return { before, after };
    },
  });

/** Text that somebody typed, as a value of the feature's type; undefined when it is none. */
export function valueOf({ type }: Feature, text: string): unknown {
  const one = text.trim();
  if (one === '') return undefined;
  if (type === 'number') {
    return Number.isFinite(numberFrom(one)) ? numberFrom(one) : undefined;
  }
  if (type === 'bool') return one === 'true' ? true : one === 'false' ? false : undefined;
  if (type === 'numbers' || type === 'strings') {
    const parts = one.split(',').map((part) => part.trim());
    return type === 'strings' ? parts : parts.map(Number);
  }
  return one;
}
