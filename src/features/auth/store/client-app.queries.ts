import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Raw, type FindOptionsWhere } from 'typeorm';
import { Settings } from '../../../platform/config/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { ClientAppEntity, ClientSecretEntity } from './entities.js';

/** The condition for a valid secret: neither revoked nor expired. */
export const LIVE = {
  revokedAt: IsNull(),
  expiresAt: Raw((at) => `(${at} IS NULL OR ${at} > now())`),
};

/** An application with its valid secrets, without their hashes. */
export interface ClientAppWithSecrets extends ClientAppEntity {
  readonly secrets: readonly Omit<ClientSecretEntity, 'hash'>[];
}

export interface ClientAppFilter {
  readonly status?: ClientAppEntity['status'] | undefined;
  /** Cursor: only applications after this id. */
  readonly after: string | null;
  readonly limit: number;
}

/** Reads the applications of one organisation in this environment. */
@Injectable()
export class ClientAppQueries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** Returns an application; null if the organisation has none with this id. */
  async findOne(organisationId: string, id: string): Promise<ClientAppWithSecrets | null> {
    const [app] = await this.findWithSecrets(organisationId, { id }, 1);
    return app ?? null;
  }

  /** Returns up to `limit` applications in the order of their creation. */
  async list(
    organisationId: string,
    { status, after, limit }: ClientAppFilter,
  ): Promise<ClientAppWithSecrets[]> {
    const where = { ...(status && { status }), ...(after !== null && { id: MoreThan(after) }) };
    return this.findWithSecrets(organisationId, where, limit);
  }

  private findWithSecrets(
    organisationId: string,
    which: FindOptionsWhere<ClientAppEntity>,
    take: number,
  ): Promise<ClientAppWithSecrets[]> {
    const where = { organisationId, environment: this.settings.environment, ...which };
    return this.uow.read(organisationId, async (db) => {
      const apps = await db.find(ClientAppEntity, { where, order: { id: 'ASC' }, take });
      const secrets = await db.find(ClientSecretEntity, {
        select: { id: true, clientAppId: true, createdAt: true, expiresAt: true, lastUsedAt: true },
        where: { clientAppId: In(apps.map(({ id }) => id)), ...LIVE },
        order: { createdAt: 'DESC', id: 'DESC' },
      });
      return apps.map((app) =>
        Object.assign(app, { secrets: secrets.filter(({ clientAppId }) => clientAppId === app.id) }),
      );
    });
  }
}
