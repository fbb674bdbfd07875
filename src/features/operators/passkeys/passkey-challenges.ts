import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsNull, Raw } from 'typeorm';
import { noOrganisation, UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { PasskeyChallengeEntity } from '../store/entities.js';

/** Maximum time that a person may take to use the authenticator. */
const CHALLENGE_MINUTES = 5;
export const CHALLENGE_MS = CHALLENGE_MINUTES * 60_000;

/** A stored challenge; `consume` marks it as used, and returns false if it was used before. */
export interface OpenChallenge {
  readonly text: string;
  consume(tx: Tx): Promise<boolean>;
}

type Purpose = PasskeyChallengeEntity['purpose'];

/** WebAuthn challenges: random, valid once, for one purpose and, if known, one operator. */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly uow: UnitOfWork) {}

  async create(purpose: Purpose, operatorId: string | null): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = randomBytes(32);
    await this.uow.run(noOrganisation, (tx) => this.store(tx, challenge, purpose, operatorId));
    return new Uint8Array(challenge);
  }

  /** Finds the challenge in a response, if it was made for this operator or for a login without a known operator. */
  async takeAnswered(
    clientDataJson: string,
    purpose: Purpose,
    operatorId: string | null,
  ): Promise<OpenChallenge | null> {
    const text = await challengeIn(clientDataJson);
    if (text === null) return null;
    const hash = hashOf(Buffer.from(text, 'base64url'));
    const challenge = await this.uow.read(noOrganisation, (db) =>
      db.findOneBy(PasskeyChallengeEntity, { hash, purpose, expiresAt: Raw((at) => `${at} > now()`) }),
    );
    if (!challenge || (challenge.operatorId !== null && challenge.operatorId !== operatorId)) return null;
    const challengeFilter = { hash, operatorId: challenge.operatorId ?? IsNull() };
    return {
      text,
      consume: async (tx) => (await tx.delete(PasskeyChallengeEntity, challengeFilter)).affected === 1,
    };
  }

  /** Stores a challenge that the WebAuthn library made. */
  async store(tx: Tx, challenge: Buffer, purpose: Purpose, operatorId: string | null): Promise<void> {
    await tx.insert(PasskeyChallengeEntity, {
      hash: hashOf(challenge),
      purpose,
      operatorId,
      expiresAt: () => `now() + interval '${CHALLENGE_MINUTES} minutes'`,
    });
  }
}

const hashOf = (challenge: Buffer): Buffer => createHash('sha256').update(challenge).digest();

async function challengeIn(clientDataJson: string): Promise<string | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { challenge } = decodeClientDataJSON(clientDataJson) as { challenge?: unknown };
    return typeof challenge === 'string' && challenge.length <= 64 ? challenge : null;
  } catch {
    // A response without valid JSON has no challenge.
    return null;
  }
}
