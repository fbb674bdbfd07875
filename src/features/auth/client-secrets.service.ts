import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Settings } from '../../platform/config/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import { DomainError, errorAt, newUuid } from '../../platform/kernel/index.js';
import { ClientAppAudit, type AppChangeActor } from './client-app-audit.js';
import { ClientAppsService } from './client-apps.service.js';
import { holdsGrants } from './domain/app-profile.js';
import {
  secretsEndedByRotation,
  hashClientSecret,
  newClientSecret,
  type ValidSecret,
} from './domain/client-secret.js';
import { SecretNotices } from './secret-notices.js';
import { LIVE } from './store/client-app.queries.js';
import { type ClientAppEntity, ClientSecretEntity } from './store/entities.js';

// Default time for which the previous secret stays valid: enough to install the new one on every server.
export const DEFAULT_OVERLAP_SECONDS = 24 * 3_600;
export const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

/** A secret that is made, before it is stored. */
export interface MadeSecret {
  readonly id: string;
  readonly hash: Buffer;
  /** How long the secret before it stays valid. */
  readonly overlapSeconds: number;
}

/** Rotates and revokes the secrets of client applications. */
@Injectable()
export class ClientSecretsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly apps: ClientAppsService,
    private readonly audit: ClientAppAudit,
    private readonly settings: Settings,
    private readonly notices: SecretNotices,
  ) {}

  /** Makes a secret that is stored nowhere yet. */
  make(overlapSeconds: number): MadeSecret & { readonly secret: string } {
    const secret = newClientSecret();
    const hash = hashClientSecret(secret, this.settings.clientSecretPepper);
    return { id: newUuid(), hash, overlapSeconds, secret };
  }

  /**
   * Creates a new secret and returns it, which no later call does. The previous secret stays valid for the overlap,
   * older secrets expire immediately. With an overlap of 0 only the new secret is valid. Throws FOUR_EYES_REQUIRED to an
   * operator if the application has a scope that two people grant.
   */
  async rotate(
    organisationId: string,
    appId: string,
    overlapSeconds: number,
    author: AppChangeActor,
  ): Promise<{ id: string; secret: string }> {
    const secret = this.make(overlapSeconds);
    await this.uow.run(organisationId, async (tx) => {
      const app = await this.apps.lockApp(tx, organisationId, appId);
      if (author.actor.type === 'operator' && holdsGrants(app.scopes)) {
        const message = 'Ask for the secret; it is good when a second person approves it.';
        throw errorAt('FOUR_EYES_REQUIRED', '', 'SECRET_GIVEN_BY_TWO', message);
      }
      await this.replace(tx, app, secret, author);
      await this.notices.tell(tx, { organisationId, app, what: 'NEW_SECRET', by: author.actor });
    });
    return { id: secret.id, secret: secret.secret };
  }

  /** Stores a made secret in the caller's transaction, and ends the earlier secrets. */
  async replace(
    tx: Tx,
    app: ClientAppEntity,
    { id, hash, overlapSeconds }: MadeSecret,
    author: AppChangeActor,
    mark: { readonly singleControl?: true } = {},
  ): Promise<void> {
    if (app.status === 'REVOKED') throw new DomainError('STATE_CONFLICT');
    const { atOnce, afterOverlap } = secretsEndedByRotation(await findValidSecrets(tx, app.id));
    await expireSecrets(tx, atOnce, 0);
    if (afterOverlap !== null) await expireSecrets(tx, [afterOverlap], overlapSeconds);
    const { organisationId } = app;
    await tx.insert(ClientSecretEntity, { id, organisationId, clientAppId: app.id, hash });
    await this.audit.record(tx, app, 'client_app.secret_rotated', author, {
      ...{ secretId: id, overlapSeconds, ended: [...atOnce], ending: afterOverlap },
      ...mark,
    });
  }

  /** Revokes a secret immediately, even the only secret: an exposed secret is worse than none. */
  async revoke(
    organisationId: string,
    appId: string,
    secretId: string,
    author: AppChangeActor,
  ): Promise<void> {
    await this.uow.run(organisationId, async (tx) => {
      const app = await this.apps.lockApp(tx, organisationId, appId);
      if (!(await findValidSecrets(tx, appId)).some(({ id }) => id === secretId)) {
        throw new DomainError('SECRET_NOT_FOUND');
      }
      await tx.update(ClientSecretEntity, { id: secretId, clientAppId: appId }, { revokedAt: () => 'now()' });
      await this.audit.record(tx, app, 'client_app.secret_revoked', author, { secretId });
    });
  }
}

async function findValidSecrets(tx: Tx, appId: string): Promise<ValidSecret[]> {
  return tx.find(ClientSecretEntity, {
    select: { id: true, createdAt: true },
    where: { clientAppId: appId, ...LIVE },
  });
}

/** Makes secrets expire after a delay. Does not postpone an earlier expiry. */
async function expireSecrets(tx: Tx, ids: readonly string[], afterSeconds: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .createQueryBuilder()
    .update(ClientSecretEntity)
    .set({ expiresAt: () => 'least(expires_at, now() + make_interval(secs => :afterSeconds))' })
    .where({ id: In([...ids]) })
    .setParameters({ afterSeconds })
    .execute();
}
