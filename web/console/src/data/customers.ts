/** Customers: search, the file of one, and what is done to it. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { pageQuery, usePages, type Pages } from './calls/paging.js';
import { refresh } from './calls/query.js';

export type CustomerRow = Schemas['CustomerSummaryView'];
export type CustomerFile = Schemas['CustomerDetailView'];

/** Values that a customer declared or chose, as far as the console changes them; null where one is not known any more. */
export type Declaration = Pick<
  Schemas['ProfileBody'],
  'monthlyIncome' | 'monthlyRevenue' | 'nightLimit' | 'pep'
>;

/** Kept in memory only: a document or a customer's number does not belong into an address. */
export interface CustomerFilter {
  readonly document?: string;
  readonly riskLevel?: NonNullable<CustomerRow['riskLevel']>;
}

export const useCustomers = (filter: CustomerFilter): Pages<CustomerRow> =>
  usePages({
    key: ['customers', filter],
    ask: (cursor) =>
      answerOf(api.GET('/operator/customers', { params: { query: { ...pageQuery(cursor), ...filter } } })),
  });

export const useCustomer = (id: string | null): UseQueryResult<CustomerFile> =>
  useQuery({
    queryKey: ['customer', id],
    enabled: id !== null,
    staleTime: 60_000,
    queryFn: () => dataOf(api.GET('/operator/customers/{id}', { params: { path: { id: id ?? '' } } })),
  });

export const useSessionsOf = (customerId: string, enabled: boolean): Pages<Schemas['SessionView']> =>
  usePages({
    key: ['sessions', 'of', customerId],
    enabled,
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/kyc-sessions', { params: { query: { ...pageQuery(cursor, 20), customerId } } }),
      ),
  });

export const useHitsOf = (customerId: string, enabled: boolean): Pages<Schemas['HitView']> =>
  usePages({
    key: ['hits', 'of', customerId],
    enabled,
    ask: (cursor) =>
      answerOf(api.GET('/operator/hits', { params: { query: { ...pageQuery(cursor, 20), customerId } } })),
  });

export const useReveal = (id: string): UseMutationResult<Schemas['RevealedCustomerView'], Error, string> =>
  useMutation({
    // Shown once and not kept: the next look is asked for, and recorded, again.
    gcTime: 0,
    mutationFn: (reason) =>
      dataOf(api.POST('/operator/customers/{id}/reveal', { params: { path: { id } }, body: { reason } })),
  });

export type CustomerAct = 'HOLD' | 'LIFT_HOLD' | 'ERASE';

/** A hold takes effect at once; lifting it and erasing wait for a second person. */
export const useCustomerAct = (
  id: string,
): UseMutationResult<{ asked: string | null }, Error, { act: CustomerAct; reason: string }> =>
  useMutation({
    mutationFn: async ({ act, reason }) => {
      const call = { params: { path: { id } }, body: { reason } };
      if (act === 'HOLD') {
        await dataOf(api.POST('/operator/customers/{id}/legal-hold', call));
        return { asked: null };
      }
      const asked =
        act === 'LIFT_HOLD'
          ? await dataOf(api.POST('/operator/customers/{id}/legal-hold/lift', call))
          : await dataOf(api.POST('/operator/customers/{id}/erase', call));
      return { asked: asked.id };
    },
    onSuccess: () => {
      refresh(['customer', id], ['approvals']);
    },
  });

/** It makes no result better until a second person confirms it. */
export const useDeclare = (id: string): UseMutationResult<unknown, Error, Declaration> =>
  useMutation({
    mutationFn: async (body) =>
      dataOf(api.PATCH('/operator/customers/{id}/profile', { params: { path: { id } }, body })),
    onSuccess: () => {
      refresh(['customer', id]);
    },
  });

/** Asks a second person to stand behind what one operator wrote down; it counts in full once it is approved. */
export const useConfirmFacts = (id: string): UseMutationResult<unknown, Error, string> =>
  useMutation({
    mutationFn: async (reason) =>
      dataOf(
        api.POST('/operator/customers/{id}/facts/confirm', { params: { path: { id } }, body: { reason } }),
      ),
    onSuccess: () => {
      refresh(['customer', id], ['approvals']);
    },
  });
