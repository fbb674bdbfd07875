import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { OperatorRef } from '../operator-audit.js';
import { OperatorPasskeyEntity, type OperatorEntity } from '../store/entities.js';
import { CHALLENGE_MS, PasskeyChallenges, type OpenChallenge } from './passkey-challenges.js';
import { RelyingParty } from './relying-party.js';

/** The response of `navigator.credentials.get()`. */
export type Assertion = Omit<AuthenticationResponseJSON, 'clientExtensionResults'>;

/** The fields of a `navigator.credentials.create()` response that the service reads. */
export interface Attestation {
  readonly id: string;
  readonly rawId: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[];
  };
}

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** A valid assertion, usable once: `use` returns false if it was used before. */
export interface MatchedPasskey {
  readonly passkey: OperatorPasskeyEntity;
  /** True if the authenticator has checked a PIN, fingerprint or face. */
  readonly userVerified: boolean;
  use(tx: Tx): Promise<boolean>;
}

/** A verified new passkey; `store` returns null if its challenge was used before. */
export interface VerifiedPasskey {
  store(tx: Tx, name: string): Promise<OperatorPasskeyEntity | null>;
}

/** Loads the library on first use: most processes see no passkey, and loading takes 0.3 s of CPU. */
const loadWebauthn = () => import('@simplewebauthn/server');

// COSE ids of ES256, EdDSA and RS256, which authenticators support.
const ALGORITHMS = [-7, -8, -257];

/** Creates and verifies passkeys (WebAuthn). All are discoverable, so that login options reveal none. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly challenges: PasskeyChallenges,
    private readonly party: RelyingParty,
  ) {}

  /** Options for a login with a passkey, alone or in addition to a password. */
  async createLoginOptions(userVerification: 'required' | 'preferred'): Promise<RequestOptions> {
    const { id: rpID } = this.party.requireName();
    const challenge = await this.challenges.create('ASSERT', null);
    const { generateAuthenticationOptions } = await loadWebauthn();
    return generateAuthenticationOptions({ rpID, challenge, timeout: CHALLENGE_MS, userVerification });
  }

  /** Options for a logged-in operator who must show a second factor. */
  async createStepUpOptions(operator: OperatorRef): Promise<RequestOptions> {
    const { id: rpID } = this.party.requireName();
    const challenge = await this.challenges.create('ASSERT', operator.id);
    const { generateAuthenticationOptions } = await loadWebauthn();
    return generateAuthenticationOptions({
      rpID,
      challenge,
      timeout: CHALLENGE_MS,
      userVerification: 'preferred',
      allowCredentials: (await this.listByOperator(operator)).map(descriptorOf),
    });
  }

  /** Options for a new passkey of this operator; `store` stores their challenge. */
  async createRegistrationOptions(
    operator: Pick<OperatorEntity, 'id' | 'organisationId' | 'email' | 'name'>,
  ): Promise<{ options: CreationOptions; store: (tx: Tx) => Promise<void> }> {
    const { id: rpID, name: rpName } = this.party.requireName();
    const registeredPasskeys = await this.listByOperator(operator);
    const { generateRegistrationOptions } = await loadWebauthn();
    const options = await generateRegistrationOptions({
      rpID,
      rpName,
      userID: new Uint8Array(handleOf(operator.id)),
      userName: operator.email ?? '',
      userDisplayName: operator.name,
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: registeredPasskeys.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const challenge = Buffer.from(options.challenge, 'base64url');
    return { options, store: (tx) => this.challenges.store(tx, challenge, 'REGISTER', operator.id) };
  }

  /** Verifies a new passkey against a challenge of this operator; null if it is invalid. */
  async verifyRegistration(
    operator: OperatorRef,
    { id, rawId, response }: Attestation,
  ): Promise<VerifiedPasskey | null> {
    const { clientDataJSON, attestationObject, transports = [] } = response;
    const challenge = await this.challenges.takeAnswered(clientDataJSON, 'REGISTER', operator.id);
    if (!challenge) return null;
    const { id: expectedRPID, origin: expectedOrigin } = this.party.requireName();
    const { verifyRegistrationResponse } = await loadWebauthn();
    const verified = await orNull(() =>
      verifyRegistrationResponse({
        response: {
          id,
          rawId,
          type: 'public-key',
          response: { clientDataJSON, attestationObject },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge.text,
        expectedOrigin,
        expectedRPID,
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    );
    if (!verified?.verified) return null;
    const { credential, credentialBackedUp } = verified.registrationInfo;
    return {
      store: async (tx, name) => {
        if (!(await challenge.consume(tx))) return null;
        const passkeyId = newUuid();
        const row = {
          id: passkeyId,
          organisationId: operator.organisationId,
          operatorId: operator.id,
          credentialId: Buffer.from(credential.id, 'base64url'),
          publicKey: Buffer.from(credential.publicKey),
          counter: String(credential.counter),
          name,
          transports: [...transports],
          backedUp: credentialBackedUp,
        };
        // Authenticators generate unique ids. An id that any operator already has gets the same error as a used
        // challenge, so that it reveals nothing about other organisations.
        await tx.createQueryBuilder().insert().into(OperatorPasskeyEntity).values(row).orIgnore().execute();
        return tx.findOneBy(OperatorPasskeyEntity, { id: passkeyId });
      },
    };
  }

  /**
   * The passkey that signed the assertion; null if anything about it is invalid. With `operatorId` it must belong to
   * that operator.
   */
  async verifyAssertionOf(assertion: Assertion, operatorId: string | null): Promise<MatchedPasskey | null> {
    const credentialId = Buffer.from(assertion.id, 'base64url');
    const passkey = await this.uow.read(system('operators.login'), (db) =>
      db.findOneBy(OperatorPasskeyEntity, { credentialId }),
    );
    if (!passkey || (operatorId !== null && passkey.operatorId !== operatorId)) return null;
    const { clientDataJSON, userHandle } = assertion.response;
    // The user handle from the authenticator must belong to the passkey's owner.
    if (
      typeof userHandle === 'string' &&
      !Buffer.from(userHandle, 'base64url').equals(handleOf(passkey.operatorId))
    ) {
      return null;
    }
    const challenge = await this.challenges.takeAnswered(clientDataJSON, 'ASSERT', operatorId);
    return challenge && this.verifySignature(assertion, passkey, challenge);
  }

  /** The passkeys of an operator, the oldest first. */
  async listByOperator({ id: operatorId, organisationId }: OperatorRef): Promise<OperatorPasskeyEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(OperatorPasskeyEntity, { where: { operatorId, organisationId }, order: { id: 'ASC' } }),
    );
  }

  private async verifySignature(
    assertion: Assertion,
    passkey: OperatorPasskeyEntity,
    challenge: OpenChallenge,
  ): Promise<MatchedPasskey | null> {
    const { id: expectedRPID, origin: expectedOrigin } = this.party.requireName();
    const { verifyAuthenticationResponse } = await loadWebauthn();
    const verified = await orNull(() =>
      verifyAuthenticationResponse({
        response: { ...assertion, clientExtensionResults: {} },
        expectedChallenge: challenge.text,
        expectedOrigin,
        expectedRPID,
        credential: {
          id: passkey.credentialId.toString('base64url'),
          publicKey: new Uint8Array(passkey.publicKey),
          counter: Number(passkey.counter),
        },
        requireUserVerification: false,
      }),
    );
    if (!verified?.verified) return null;
    const { newCounter, userVerified, credentialBackedUp } = verified.authenticationInfo;
    const { id, counter } = passkey;
    return {
      passkey,
      userVerified,
      use: async (tx) => {
        if (!(await challenge.consume(tx))) return false;
        // The counter must be unchanged: two responses with the same counter mean that the key was copied.
        const update = await tx.update(
          OperatorPasskeyEntity,
          { id, counter },
          { counter: String(newCounter), backedUp: credentialBackedUp, lastUsedAt: () => 'now()' },
        );
        return update.affected === 1;
      },
    };
  }
}

/** The WebAuthn user handle: random bytes, as required. */
const handleOf = (operatorId: string): Buffer => Buffer.from(operatorId.replaceAll('-', ''), 'hex');

const descriptorOf = ({ credentialId, transports }: OperatorPasskeyEntity) => ({
  id: credentialId.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
});

/** Drops the errors of the library: the client must not learn why a response was refused. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
