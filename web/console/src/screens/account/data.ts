/** The own account: how somebody proves who they are, and where they are signed in. */
import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, answerOf, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { makePasskey, showPasskey } from '../../api/passkeys.js';

export type Session = Schemas['OperatorSessionView'];
export type Passkey = Schemas['PasskeyView'];
export type Proof = Schemas['ReauthenticationBody'];

export const useSessions = (): UseQueryResult<readonly Session[]> =>
  useQuery({
    queryKey: ['me', 'sessions'],
    queryFn: async () => (await answerOf(api.GET('/operator/me/sessions', {}))).data,
  });

export const usePasskeys = (): UseQueryResult<readonly Passkey[]> =>
  useQuery({
    queryKey: ['me', 'passkeys'],
    queryFn: async () => (await answerOf(api.GET('/operator/me/passkeys', {}))).data,
  });

const useChange = changing('me');

export const useEndSession = (): UseMutationResult<unknown, Error, string> =>
  useChange((id) => dataOf(api.DELETE('/operator/me/sessions/{id}', { params: { path: { id } } })));

export const useChangePassword = (): UseMutationResult<unknown, Error, Schemas['ChangePasswordBody']> =>
  useChange((body) => dataOf(api.POST('/operator/me/password', { body })));

export const useAppSeed = (): UseMutationResult<Schemas['TotpSeedView'], Error, Proof> =>
  useMutation({ gcTime: 0, mutationFn: (body) => dataOf(api.POST('/operator/me/totp', { body })) });

export const useConfirmApp = (): UseMutationResult<readonly string[], Error, string> =>
  useChange(
    async (code) => (await dataOf(api.POST('/operator/me/totp/confirm', { body: { code } }))).recoveryCodes,
  );

export const useNewCodes = (): UseMutationResult<readonly string[], Error, Proof> =>
  useChange(async (body) => (await dataOf(api.POST('/operator/me/recovery-codes', { body }))).recoveryCodes);

export const useAddPasskey = (): UseMutationResult<
  readonly string[] | null,
  Error,
  { name: string; proof: Proof }
> =>
  useChange(async ({ name, proof }) => {
    const { publicKey } = await dataOf(api.POST('/operator/me/passkeys/options', { body: proof }));
    const credential = (await makePasskey(publicKey)) as Schemas['CreatedCredentialBody'];
    const made = await dataOf(api.POST('/operator/me/passkeys/verify', { body: { name, credential } }));
    return made.recoveryCodes;
  });

export const useRemovePasskey = (): UseMutationResult<unknown, Error, { id: string; proof: Proof }> =>
  useChange(({ id, proof }) =>
    dataOf(api.POST('/operator/me/passkeys/{id}/remove', { params: { path: { id } }, body: proof })),
  );

/** Shows the second factor in a session that began without; a code, or else the passkey of this device. */
export const useStepUp = (): UseMutationResult<unknown, Error, string | null> =>
  useChange(async (code) => {
    if (code !== null) return dataOf(api.POST('/operator/me/step-up', { body: { totp: code } }));
    const { publicKey } = await dataOf(api.POST('/operator/me/step-up/options', {}));
    const passkey = (await showPasskey(publicKey)) as Schemas['AssertionBody'];
    return dataOf(api.POST('/operator/me/step-up', { body: { passkey } }));
  });
