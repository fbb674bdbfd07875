/** Settings of the organisation. */
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';

export type Notice = Schemas['PrivacyNoticeBody'];
export type NoticeVersion = Schemas['PrivacyNoticeVersionView'];
export type Terms = Schemas['ReverificationView'];
export type Rate = Schemas['RateView'];
export type WantedRate = Schemas['RateBody'];

const useChange = changing('settings', 'apps', 'approvals');
const app = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });

export const useNotice = (): UseQueryResult<NoticeVersion | null> =>
  useQuery({
    queryKey: ['settings', 'notice'],
    queryFn: async () => (await dataOf(api.GET('/operator/privacy-notice', {}))).current,
  });

export const usePutNotice = (): UseMutationResult<NoticeVersion, Error, Notice> =>
  useChange((body) => dataOf(api.PUT('/operator/privacy-notice', { body })));

/** The acts that the organisation could only decide alone, and whether the installation lets it. */
export const useControl = (): UseQueryResult<Schemas['ControlView']> =>
  useQuery({
    queryKey: ['settings', 'control'],
    queryFn: () => dataOf(api.GET('/operator/approvals/control', {})),
  });

export const useTerms = (): UseQueryResult<Terms | null> =>
  useQuery({
    queryKey: ['settings', 'reverification'],
    queryFn: async () => (await dataOf(api.GET('/operator/reverification', {}))).terms,
  });

export const usePutTerms = (): UseMutationResult<Terms, Error, Schemas['ReverificationBody']> =>
  useChange((body) => dataOf(api.PUT('/operator/reverification', { body })));

/** The newest rate of each currency. */
export const useRates = (): UseQueryResult<readonly Rate[]> =>
  useQuery({
    queryKey: ['settings', 'rates'],
    queryFn: async () => (await dataOf(api.GET('/operator/fx/rates', {}))).rates,
  });

/** Takes effect when a second person approves it. */
export const useImportRates = (): UseMutationResult<unknown, Error, Schemas['ImportRatesBody']> =>
  useChange<Schemas['ImportRatesBody'], unknown>((body) => dataOf(api.POST('/operator/fx/rates', { body })));

export const useColour = (): UseMutationResult<unknown, Error, { id: string; colour: string | null }> =>
  useChange<{ id: string; colour: string | null }, unknown>(({ id, colour }) =>
    dataOf(
      api.PATCH('/operator/client-apps/{id}', { ...app(id), body: { branding: { primaryColor: colour } } }),
    ),
  );

export const usePutLogo = (): UseMutationResult<unknown, Error, { id: string; file: File }> =>
  useChange<{ id: string; file: File }, unknown>(({ id, file }) => {
    const form = new FormData();
    form.append('file', file);
    // The document describes a file as a text; what goes out is the form.
    return answerOf(api.PUT('/operator/client-apps/{id}/logo', { ...app(id), body: form as never }));
  });

export const useRemoveLogo = (): UseMutationResult<unknown, Error, string> =>
  useChange<string, unknown>((id) => answerOf(api.DELETE('/operator/client-apps/{id}/logo', app(id))));
