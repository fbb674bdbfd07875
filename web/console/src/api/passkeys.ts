/** Passkeys of this device. The browser reads and writes their messages itself; one that cannot has no passkeys here. */
import { Problem } from './problem.js';

export const passkeysWork = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Asks the device to sign a challenge; for the service it is then who somebody says they are. */
export async function showPasskey(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return asked(navigator.credentials.get({ publicKey }));
}

export async function makePasskey(options: unknown): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return asked(navigator.credentials.create({ publicKey }));
}

/** The answer of the device as JSON; a person who closes its window, or lets it wait, has changed their mind. */
async function asked(asking: Promise<Credential | null>): Promise<unknown> {
  let credential: Credential | null;
  try {
    credential = await asking;
  } catch (error) {
    const known = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Problem(known ? 'PASSKEY_KNOWN' : 'PASSKEY_CANCELLED', -1);
  }
  if (!(credential instanceof PublicKeyCredential)) throw new Problem('PASSKEY_CANCELLED', -1);
  return credential.toJSON();
}
