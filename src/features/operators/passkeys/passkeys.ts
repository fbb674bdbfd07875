import { Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { system, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { newUuid } from '../../../platform/kernel/index.js';
import type { OperatorRef } from '../operator-trail.js';
import { OperatorPasskeyEntity } from '../store/entities/operator-passkey.entity.js';
import type { OperatorEntity } from '../store/entities/operator.entity.js';
import { CHALLENGE_MS, PasskeyChallenges, type OpenChallenge } from './passkey-challenges.js';
import { RelyingParty } from './relying-party.js';

/** An answer of `navigator.credentials.get()`. */
export type Assertion = Omit<AuthenticationResponseJSON, 'clientExtensionResults'>;

/** The members of an answer of `navigator.credentials.create()` that the service reads. */
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

/** A right assertion, which is good once: `use` takes it; false if it was taken before. */
export interface MatchedPasskey {
  readonly passkey: OperatorPasskeyEntity;
  /** True if the authenticator has checked the PIN, finger or face of its owner. */
  readonly userVerified: boolean;
  use(tx: Tx): Promise<boolean>;
}

/** A verified new passkey, to be stored; `store` returns null if its challenge was used before. */
export interface VerifiedPasskey {
  store(tx: Tx, name: string): Promise<OperatorPasskeyEntity | null>;
}

/** Loads the library with the first passkey: most processes see none, and loading takes a third of a second of CPU. */
const webauthn = () => import('@simplewebauthn/server');

// ES256, EdDSA and RS256 are the algorithms of authenticators.
const ALGORITHMS = [-7, -8, -257];

/** Makes and verifies passkeys (WebAuthn). All are discoverable, so that options for a login reveal no passkey. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly challenges: PasskeyChallenges,
    private readonly party: RelyingParty,
  ) {}

  /** Options for a person who logs in with a passkey, or shows one beside a password. */
  async loginOptions(userVerification: 'required' | 'preferred'): Promise<RequestOptions> {
    const { id: rpID } = this.party.require();
    const challenge = await this.challenges.make('ASSERT', null);
    const { generateAuthenticationOptions } = await webauthn();
    return generateAuthenticationOptions({ rpID, challenge, timeout: CHALLENGE_MS, userVerification });
  }

  /** Options for a logged-in operator who shows a second factor. */
  async optionsFor(operator: OperatorRef): Promise<RequestOptions> {
    const { id: rpID } = this.party.require();
    const challenge = await this.challenges.make('ASSERT', operator.id);
    const { generateAuthenticationOptions } = await webauthn();
    return generateAuthenticationOptions({
      rpID,
      challenge,
      timeout: CHALLENGE_MS,
      userVerification: 'preferred',
      allowCredentials: (await this.listByOperator(operator)).map(described),
    });
  }

  /** Options for a new passkey of this operator; `store` keeps their challenge. */
  async creationOptions(
    operator: Pick<OperatorEntity, 'id' | 'organisationId' | 'email' | 'name'>,
  ): Promise<{ options: CreationOptions; store: (tx: Tx) => Promise<void> }> {
    const { id: rpID, name: rpName } = this.party.require();
    const known = await this.listByOperator(operator);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpID,
      rpName,
      userID: new Uint8Array(handleOf(operator.id)),
      userName: operator.email ?? '',
      userDisplayName: operator.name,
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: known.map(described),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const challenge = Buffer.from(options.challenge, 'base64url');
    return { options, store: (tx) => this.challenges.store(tx, challenge, 'REGISTER', operator.id) };
  }

  /** Verifies a new passkey against a challenge for this operator; null if it does not fit. */
  async verifyAssertion(
    operator: OperatorRef,
    { id, rawId, response }: Attestation,
  ): Promise<VerifiedPasskey | null> {
    const { clientDataJSON, attestationObject, transports = [] } = response;
    const challenge = await this.challenges.answered(clientDataJSON, 'REGISTER', operator.id);
    if (!challenge) return null;
    const { id: expectedRPID, origin: expectedOrigin } = this.party.require();
    const { verifyRegistrationResponse } = await webauthn();
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
        if (!(await challenge.take(tx))) return null;
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
        // An authenticator makes a new id each time. An id that any operator has already gets the same answer as a used
        // challenge, so that it reveals nothing about another organisation.
        await tx.createQueryBuilder().insert().into(OperatorPasskeyEntity).values(row).orIgnore().execute();
        return tx.findOneBy(OperatorPasskeyEntity, { id: passkeyId });
      },
    };
  }

  /**
   * The passkey that signed the assertion, or null if anything about it is wrong. With `operatorId` it must belong to that
   * operator.
   */
  async findByAssertion(assertion: Assertion, operatorId: string | null): Promise<MatchedPasskey | null> {
    const credentialId = Buffer.from(assertion.id, 'base64url');
    const passkey = await this.uow.read(system('operators.login'), (db) =>
      db.findOneBy(OperatorPasskeyEntity, { credentialId }),
    );
    if (!passkey || (operatorId !== null && passkey.operatorId !== operatorId)) return null;
    const { clientDataJSON, userHandle } = assertion.response;
    // The user handle of the authenticator must name the owner of the passkey.
    if (
      typeof userHandle === 'string' &&
      !Buffer.from(userHandle, 'base64url').equals(handleOf(passkey.operatorId))
    ) {
      return null;
    }
    const challenge = await this.challenges.answered(clientDataJSON, 'ASSERT', operatorId);
    return challenge && this.verified(assertion, passkey, challenge);
  }

  /** The passkeys of an operator, the oldest first. */
  async listByOperator({ id: operatorId, organisationId }: OperatorRef): Promise<OperatorPasskeyEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(OperatorPasskeyEntity, { where: { operatorId, organisationId }, order: { id: 'ASC' } }),
    );
  }

  private async verified(
    assertion: Assertion,
    passkey: OperatorPasskeyEntity,
    challenge: OpenChallenge,
  ): Promise<MatchedPasskey | null> {
    const { id: expectedRPID, origin: expectedOrigin } = this.party.require();
    const { verifyAuthenticationResponse } = await webauthn();
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
        if (!(await challenge.take(tx))) return false;
        // The counter must not have changed meanwhile: of two answers with the same counter one is from a copy of the key.
        const used = await tx.update(
          OperatorPasskeyEntity,
          { id, counter },
          { counter: String(newCounter), backedUp: credentialBackedUp, lastUsedAt: () => 'now()' },
        );
        return used.affected === 1;
      },
    };
  }
}

/** The user handle by which authenticators know a person: random bytes, as WebAuthn requires. */
const handleOf = (operatorId: string): Buffer => Buffer.from(operatorId.replaceAll('-', ''), 'hex');

const described = ({ credentialId, transports }: OperatorPasskeyEntity) => ({
  id: credentialId.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
});

/** The library throws for each flaw of an answer; the sender learns none of them. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
