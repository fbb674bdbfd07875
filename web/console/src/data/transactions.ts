/** Transactions, what their evaluations looked at, and the receipt that proves it. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, sentOf, type Schemas } from '../api/client.js';
import { pageQuery, usePages, type Pages } from './calls/paging.js';
import { live, refresh } from './calls/query.js';

export type TransactionRow = Schemas['ListedTransactionView'];
export type TransactionFile = Schemas['TransactionFileView'];
/** An evaluation as far as it is shown: what was found, and what could not be looked at. */
export type Evaluation = Pick<
  TransactionFile['evaluations'][number],
  'components' | 'reasons' | 'notEvaluated'
>;

/** A part of an evaluation: what it found, or why it could not look. */
export interface Component {
  readonly state: string;
  readonly points: number;
  readonly source?: string;
  readonly reason?: string;
  readonly asOf?: string;
}

/** Why an evaluation gave points, with its legal basis. */
export interface Reason {
  readonly ruleId: string;
  readonly points: number;
  readonly severity?: string;
  readonly name?: Readonly<Record<string, string>>;
  readonly message?: Readonly<Record<string, string>>;
  readonly observed?: string;
  readonly threshold?: string;
  readonly legalBasis?: readonly { readonly norm: string; readonly item?: string }[];
}

// The document says only that these are objects; docs/scoring.md has their shape.
export const componentsOf = (evaluation: Evaluation): readonly (readonly [string, Component])[] =>
  Object.entries(evaluation.components as Readonly<Record<string, Component>>);

export const reasonsOf = (evaluation: Evaluation): readonly Reason[] =>
  evaluation.reasons as unknown as readonly Reason[];

export interface TransactionFilter {
  readonly status?: TransactionRow['status'];
  readonly outcome?: NonNullable<TransactionRow['outcome']>;
  readonly transactionId?: string;
  readonly externalCustomerId?: string;
  readonly customerId?: string;
  readonly minScore?: number;
  readonly defensible?: boolean;
}

export const useTransactions = (filter: TransactionFilter, enabled = true): Pages<TransactionRow> =>
  usePages({
    key: ['transactions', filter],
    enabled,
    refetchInterval: live(10_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/transactions', { params: { query: { ...pageQuery(cursor), ...filter } } })),
  });

export const useTransaction = (id: string | null): UseQueryResult<TransactionFile> =>
  useQuery({
    queryKey: ['transaction', id],
    enabled: id !== null,
    queryFn: () => dataOf(api.GET('/operator/transactions/{id}', { params: { path: { id: id ?? '' } } })),
  });

export const useTransactionTimeline = (id: string): UseQueryResult<Schemas['TimelineView']> =>
  useQuery({
    queryKey: ['transaction', id, 'timeline'],
    queryFn: () => dataOf(api.GET('/operator/transactions/{id}/timeline', { params: { path: { id } } })),
  });

export const useReEvaluate = (id: string): UseMutationResult<Schemas['ReEvaluationView'], Error, void> =>
  useMutation({
    mutationFn: () =>
      dataOf(api.POST('/operator/transactions/{id}/re-evaluate', { params: { path: { id } } })),
    onSuccess: () => {
      refresh(['transaction', id], ['transactions']);
    },
  });

export interface Verification {
  readonly computed: string;
  readonly stated: string;
  readonly receipt: Readonly<Record<string, unknown>>;
}

/** Fetches the receipt and computes its hash here, in this browser, as anybody could. */
export const useVerifyReceipt = (id: string): UseMutationResult<Verification, Error, number> =>
  useMutation({
    mutationFn: async (version) => {
      const { data } = await sentOf(
        api.GET('/operator/transactions/{id}/receipt', {
          params: { path: { id }, query: { version } },
        }),
      );
      const { receipt, receiptHash } = data;
      const bytes = new TextEncoder().encode(canonical(receipt));
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const computed = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return { computed, stated: receiptHash, receipt };
    },
  });

/** Canonical JSON (RFC 8785): JavaScript's own numbers and strings, keys in the order of their UTF-16 units. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`);
  return `{${members.join(',')}}`;
}
