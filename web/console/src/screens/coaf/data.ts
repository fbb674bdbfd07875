/** Communications to COAF: drafts, what they say, and what a person filed. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';

export type Communication = Schemas['CommunicationView'];
export type Detail = Schemas['CommunicationDetailView'];
export type Content = Schemas['CommunicationContentView'];
export type Party = Schemas['CommunicationPartyView'];
export type Edit = Schemas['EditCommunicationBody'];
export type Institution = Schemas['InstitutionView'];

export const statuses = ['DRAFT', 'RECORDED', 'FILED', 'DISMISSED'] as const;
export type Status = (typeof statuses)[number];

/** The drafts of a batch file, and the three files of investigators. */
export const files = [
  'siscoaf.xml',
  'RIF_Comunicacoes.csv',
  'RIF_Envolvidos.csv',
  'RIF_Ocorrencias.csv',
] as const;

const at = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const useCommunications = (filter: { status?: Status; overdue?: boolean }): Pages<Communication> =>
  usePages({
    key: ['communications', filter],
    refetchInterval: live(30_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/coaf/communications', {
          params: { query: { ...pageQuery(cursor, 50), ...filter } },
        }),
      ),
  });

export const useCommunication = (id: string): UseQueryResult<Detail> =>
  useQuery({
    queryKey: ['communications', 'one', id],
    queryFn: () => dataOf(api.GET('/operator/coaf/communications/{id}', at(id))),
  });

export const useContent = (id: string): UseQueryResult<Content> =>
  useQuery({
    queryKey: ['communications', 'content', id],
    queryFn: () => dataOf(api.GET('/operator/coaf/communications/{id}/content', at(id))),
  });

export const useYear = (year: number): UseQueryResult<Schemas['YearView']> =>
  useQuery({
    queryKey: ['communications', 'year', year],
    queryFn: () => dataOf(api.GET('/operator/coaf/year', { params: { query: { year } } })),
  });

export const useInstitution = (): UseQueryResult<Institution> =>
  useQuery({
    queryKey: ['communications', 'institution'],
    queryFn: () => dataOf(api.GET('/operator/coaf/institution', {})),
  });

const useChange = changing('communications', 'approvals');

export const useEdit = (id: string): UseMutationResult<Content, Error, Edit> =>
  useChange((body) => dataOf(api.POST('/operator/coaf/communications/{id}/edits', { ...at(id), body })));

export const useFiling = (id: string): UseMutationResult<unknown, Error, Schemas['FilingBody']> =>
  useChange((body) => dataOf(api.POST('/operator/coaf/communications/{id}/filing', { ...at(id), body })));

export const useDismissal = (id: string): UseMutationResult<unknown, Error, string> =>
  useChange((reason) =>
    dataOf(api.POST('/operator/coaf/communications/{id}/dismissal', { ...at(id), body: { reason } })),
  );

export const useSetInstitution = (): UseMutationResult<Institution, Error, Schemas['InstitutionBody']> =>
  useChange((body) => dataOf(api.PUT('/operator/coaf/institution', { body })));
