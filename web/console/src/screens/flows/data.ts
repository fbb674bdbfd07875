/** Flows: what a verification session asks for, in versions that never change. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { Problem } from '../../api/problem.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { without } from '../../parts/without.js';

export type FlowVersion = Schemas['FlowView'];
export type Draft = Schemas['FlowDraftView'];

export const tongues = ['pt-BR', 'en', 'es'] as const;
export type Tongue = (typeof tongues)[number];
export type Localised = Readonly<{ 'pt-BR': string } & Partial<Record<Tongue, string>>>;

export interface Condition {
  readonly answer: string;
  readonly equals?: string | boolean;
  readonly in?: readonly string[];
}

interface Option {
  readonly value: string;
  readonly label: Localised;
}

/** A field of a form, or a question. */
export interface Input {
  readonly id: string;
  readonly type: string;
  readonly label: Localised;
  readonly required: boolean;
  readonly options?: readonly Option[];
  readonly showIf?: Condition;
}

export interface Accepted {
  readonly type: string;
  readonly label: Localised;
  readonly sides: readonly ('FRONT' | 'BACK')[];
}

type StepType = Schemas['FlowBody']['steps'][number]['type'];
type CheckName = Schemas['FlowBody']['requiredChecks'][number];

/** The document of the API describes the inner parts of a step as objects; these are their members. */
export interface Step {
  readonly id: string;
  readonly type: StepType;
  readonly title: Localised;
  readonly required: boolean;
  readonly showIf?: Condition;
  readonly text?: Localised;
  readonly noticeVersion?: string;
  readonly fields?: readonly Input[];
  readonly questions?: readonly Input[];
  readonly acceptedDocuments?: readonly Accepted[];
}

const empty = { 'pt-BR': '' };

/** The members that a new step of a type begins with; null: it is written by the API, and kept here as it stands. */
export const blankMembers: Readonly<Record<StepType, Partial<Step> | null>> = {
  CONSENT: { text: empty, noticeVersion: '1' },
  DATA_FORM: { fields: [] },
  QUESTIONNAIRE: { questions: [] },
  DOCUMENT_CAPTURE: { acceptedDocuments: [] },
  SELFIE: {},
  PROOF_OF_ADDRESS: { acceptedDocuments: [] },
  INFO: { text: empty, required: false },
  REPEATED_GROUP: null,
  ONE_TIME_CODE: null,
};

/** The types of steps that can be begun here. */
export const stepTypes = (Object.keys(blankMembers) as StepType[]).filter(
  (type) => blankMembers[type] !== null,
);

// The compiler asks for the check that is missing: what is not shown here would be lost when another one is chosen.
const allChecks: Readonly<Record<CheckName, true>> = {
  TAX_ID: true,
  PROFILE: true,
  AGE: true,
  PEP_DECLARATION: true,
  LISTS: true,
  DOCUMENT_QUALITY: true,
  DOCUMENT_CODE: true,
  DUPLICATE_ARTIFACT: true,
  DOCUMENT: true,
  FACE_MATCH: true,
  LIVENESS: true,
  DOCUMENT_DATA: true,
  RECEITA: true,
  ADDRESS: true,
  CONTACT: true,
  OWNERS: true,
};
export const checks = Object.keys(allChecks) as readonly CheckName[];

export interface Flow {
  readonly name: Localised;
  readonly expiresInMinutes: number;
  readonly minimumAge: number;
  readonly steps: readonly Step[];
  readonly requiredChecks: readonly CheckName[];
}

export const flowOf = ({ definition }: Pick<Draft | FlowVersion, 'definition'>): Flow =>
  definition as unknown as Flow;

/** A text for a language that lost its last letter is left out, so that Portuguese stands in again. */
export function written(text: Localised, tongue: Tongue, value: string): Localised {
  if (value === '' && tongue !== 'pt-BR') return without(text, tongue);
  return { ...text, [tongue]: value };
}

/** A text in a language; where it lacks, Portuguese stands in, as it does on the page. */
export const textIn = (text: Localised | undefined, tongue: Tongue): string =>
  text?.[tongue] ?? text?.['pt-BR'] ?? '';

export const useFlows = (): Pages<FlowVersion> =>
  usePages({
    key: ['flows'],
    ask: (cursor) => answerOf(api.GET('/operator/flows', { params: { query: pageQuery(cursor) } })),
  });

/** Gives null for a flow that was never published, and for a draft that is not there. */
async function orNone<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Problem && error.code === 'FLOW_NOT_FOUND') return null;
    throw error;
  }
}

const at = (key: string): { params: { path: { key: string } } } => ({ params: { path: { key } } });

export const useFlow = (key: string, enabled: boolean): UseQueryResult<FlowVersion | null> =>
  useQuery({
    queryKey: ['flows', key],
    enabled,
    queryFn: () => orNone(dataOf(api.GET('/operator/flows/{key}', at(key)))),
  });

export const useDraft = (key: string, enabled: boolean): UseQueryResult<Draft | null> =>
  useQuery({
    queryKey: ['flows', key, 'draft'],
    enabled,
    queryFn: () => orNone(dataOf(api.GET('/operator/flows/{key}/draft', at(key)))),
  });

export const useVersions = (key: string): Pages<FlowVersion> =>
  usePages({
    key: ['flows', key, 'versions'],
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/flows/{key}/versions', {
          params: { path: { key }, query: pageQuery(cursor, 20) },
        }),
      ),
  });

/** The newest sessions through a flow, for its funnel. */
export const useLastSessions = (flowKey: string): UseQueryResult<readonly Schemas['SessionView'][]> =>
  useQuery({
    queryKey: ['sessions', 'funnel', flowKey],
    staleTime: 60_000,
    queryFn: async () =>
      (await answerOf(api.GET('/operator/kyc-sessions', { params: { query: { flowKey, limit: 200 } } })))
        .data,
  });

/** How people got on with each step in the last month. */
export const useFunnel = (key: string): UseQueryResult<Schemas['FunnelView']> =>
  useQuery({
    queryKey: ['flows', key, 'funnel'],
    staleTime: 60_000,
    queryFn: () => dataOf(api.GET('/operator/flows/{key}/funnel', at(key))),
  });

const useChange = changing('flows', 'approvals');

/** `revision` is the one that was changed; where somebody has changed the draft since, the service refuses. */
export const useKeepDraft = (): UseMutationResult<
  Draft,
  Error,
  { key: string; body: Schemas['FlowDraftBody'] }
> => useChange(({ key, body }) => dataOf(api.PUT('/operator/flows/{key}/draft', { ...at(key), body })));

export const useDropDraft = (key: string): UseMutationResult<unknown, Error, undefined> =>
  useChange<undefined, unknown>(() => answerOf(api.DELETE('/operator/flows/{key}/draft', at(key))));

export const usePreviewLink = (key: string): UseMutationResult<Schemas['PreviewView'], Error, undefined> =>
  useMutation({
    gcTime: 0,
    mutationFn: () => dataOf(api.POST('/operator/flows/{key}/draft/preview', at(key))),
  });

/** Takes effect when a second person approves it. */
export const usePublishDraft = (
  key: string,
): UseMutationResult<unknown, Error, Schemas['PublishDraftBody']> =>
  useChange<Schemas['PublishDraftBody'], unknown>((body) =>
    dataOf(api.POST('/operator/flows/{key}/draft/publish', { ...at(key), body })),
  );

/** Takes effect when a second person approves it. */
export const useGoBack = (key: string): UseMutationResult<unknown, Error, Schemas['FormerFlowBody']> =>
  useChange<Schemas['FormerFlowBody'], unknown>((body) =>
    dataOf(api.POST('/operator/flows/{key}/rollback', { ...at(key), body })),
  );
