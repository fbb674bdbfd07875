/** Cases: the queue, one case, and what is done to it. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import type { paths } from '../api/schema.js';
import { answerOf, api, dataOf, type Schemas } from '../api/client.js';
import { pageQuery, usePages, type Pages } from './calls/paging.js';
import { live, refresh } from './calls/query.js';
import type { Evaluation, Reason } from './transactions.js';

export type CaseRow = Schemas['CaseRowView'];
/** Everything about one case, as one object. */
export type CaseFile = CaseRow & Omit<Schemas['CaseFileView'], 'case'>;
export type CaseTransaction = CaseFile['transactions'][number];

/** The evaluation of a transaction of a case; null while there is no evaluation, or for those who may not see it. */
export function evaluationIn({ lookedAt, reasons }: CaseTransaction): Evaluation | null {
  if (lookedAt === null) return null;
  return {
    components: lookedAt.components,
    notEvaluated: lookedAt.notEvaluated as unknown as Evaluation['notEvaluated'],
    reasons: reasons.map(({ rule, title, sentence, observed, legalBasis, ...rest }): Reason => ({
      ...rest,
      ruleId: rule,
      name: title,
      message: sentence,
      ...(observed !== null && { observed }),
      legalBasis: legalBasis as unknown as NonNullable<Reason['legalBasis']>,
    })) as unknown as Evaluation['reasons'],
  };
}
export type Decision = Schemas['DecisionBody'];

/** Whether somebody still works on a case: nothing is proposed, decided or merged. */
export const isWorkedOn = ({ status }: Pick<CaseRow, 'status'>): boolean =>
  ['OPEN', 'IN_ANALYSIS', 'AWAITING_INFO'].includes(status);

export const caseViews = ['open', 'mine', 'free', 'overdue', 'second', 'closed'] as const;
export type CaseView = (typeof caseViews)[number];

/** A filter of the list of cases, without what pages. */
export type CaseFilter = Omit<
  NonNullable<paths['/operator/reviews']['get']['parameters']['query']>,
  'limit' | 'cursor' | 'include'
>;

/** Each view as a filter. */
export const VIEWS = {
  open: {},
  mine: { assignee: 'me' },
  free: { assignee: 'none' },
  overdue: { overdue: true },
  second: { status: 'PENDING_APPROVAL' },
  closed: { status: 'CLOSED' },
} as const satisfies Record<CaseView, CaseFilter>;

export const useCases = (filter: CaseFilter): Pages<CaseRow> =>
  usePages({
    key: ['cases', filter],
    refetchInterval: live(15_000),
    ask: (cursor) =>
      answerOf(api.GET('/operator/reviews', { params: { query: { ...pageQuery(cursor), ...filter } } })),
  });

export const useCasesOf = (customerId: string | null): Pages<CaseRow> =>
  usePages({
    key: ['cases', 'of', customerId],
    enabled: customerId !== null,
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/reviews', {
          params: { query: { ...pageQuery(cursor, 20), ...(customerId !== null && { customerId }) } },
        }),
      ),
  });

/** The cases that a transaction is in. */
export const useCasesAbout = (transaction: string | null): UseQueryResult<readonly CaseRow[]> =>
  useQuery({
    queryKey: ['cases', 'about', transaction],
    enabled: transaction !== null,
    queryFn: () =>
      dataOf(
        api.GET('/operator/reviews', { params: { query: { transaction: transaction ?? '', limit: 5 } } }),
      ),
  });

const path = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const useCase = (id: string): UseQueryResult<CaseFile> =>
  useQuery({
    queryKey: ['case', id],
    refetchInterval: live(20_000),
    queryFn: async () => {
      const { case: row, ...rest } = await dataOf(api.GET('/operator/reviews/{id}/file', path(id)));
      return { ...row, ...rest };
    },
  });

/** Everything that shows cases, after something was done to one. */
const changed = (): void => {
  refresh(['cases'], ['case'], ['approvals'], ['home']);
};

const useChange = <Input, Result>(
  run: (input: Input) => Promise<Result>,
): UseMutationResult<Result, Error, Input> => useMutation({ mutationFn: run, onSuccess: changed });

/** `me`, or null for nobody. */
export const useAssign = (): UseMutationResult<unknown, Error, { id: string; assigneeId: string | null }> =>
  useChange(({ id, assigneeId }) =>
    dataOf(api.POST('/operator/reviews/{id}/assign', { ...path(id), body: { assigneeId } })),
  );

/** A note, with a file where there is one: it is kept with the case first, and the note names it. */
export const useWriteNote = (
  id: string,
): UseMutationResult<unknown, Error, { text: string; file: File | null }> =>
  useChange(async ({ text, file }) => {
    const artifactIds = file === null ? [] : [await attach(id, file)];
    return dataOf(api.POST('/operator/reviews/{id}/notes', { ...path(id), body: { text, artifactIds } }));
  });

async function attach(id: string, file: File): Promise<string> {
  const form = new FormData();
  form.append('file', file);
  const kept = await dataOf(
    api.POST('/operator/reviews/{id}/attachments', {
      ...path(id),
      // The document describes a file as a text; what goes out is the form.
      body: form as never,
    }),
  );
  return kept.id;
}

export const useAskForInfo = (id: string): UseMutationResult<unknown, Error, string> =>
  useChange((text) =>
    dataOf(api.POST('/operator/reviews/{id}/request-info', { ...path(id), body: { text } })),
  );

export const useInfoArrived = (id: string): UseMutationResult<unknown, Error, string> =>
  useChange((text) => dataOf(api.POST('/operator/reviews/{id}/info', { ...path(id), body: { text } })));

export const usePropose = (id: string): UseMutationResult<Schemas['ApprovalView'], Error, Decision> =>
  useChange((body) => dataOf(api.POST('/operator/reviews/{id}/decision', { ...path(id), body })));

export const useReopen = (id: string): UseMutationResult<{ id: string }, Error, string> =>
  useChange((reason) => dataOf(api.POST('/operator/reviews/{id}/reopen', { ...path(id), body: { reason } })));

/** Brings everything that another case is about into this one. */
export const useMerge = (id: string): UseMutationResult<unknown, Error, Schemas['MergeBody']> =>
  useChange<Schemas['MergeBody'], unknown>((body) =>
    dataOf(api.POST('/operator/reviews/{id}/merge', { ...path(id), body })),
  );

export const useUnmerge = (id: string): UseMutationResult<unknown, Error, string> =>
  useChange<string, unknown>((reason) =>
    dataOf(api.POST('/operator/reviews/{id}/unmerge', { ...path(id), body: { reason } })),
  );

export type Bulk = Schemas['BulkView'];

/** The same end for many cases about missing data; with `preview` it only says what would become of each. */
export const useDecideMany = (): UseMutationResult<
  Bulk,
  Error,
  { ids: readonly string[]; decision: Omit<Decision, 'revision'>; preview: boolean }
> =>
  useChange(({ ids, decision, preview }) =>
    dataOf(api.POST('/operator/reviews/decisions', { body: { ...decision, reviewIds: [...ids], preview } })),
  );

export const useAssignMany = (): UseMutationResult<
  Schemas['AssignmentsView'],
  Error,
  { ids: readonly string[]; assigneeId: string }
> =>
  useChange(({ ids, assigneeId }) =>
    dataOf(api.POST('/operator/reviews/assignments', { body: { reviewIds: [...ids], assigneeId } })),
  );
