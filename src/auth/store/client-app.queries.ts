import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import {
  column,
  execute,
  properties,
  statement,
  UnitOfWork,
  value,
  type RowOf,
} from '../../database/index.js';
import { ClientAppEntity } from './entities/client-app.entity.js';

/** A secret that is valid now, as it may be shown: nothing of it can be read again. */
export interface ShownSecret {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** An application as an administrator sees it. */
export type ShownApp = RowOf<typeof SHAPE>;

export interface AppFilter {
  readonly status?: string | undefined;
  /** Only those after this id. */
  readonly after: string | null;
  readonly limit: number;
}

const SHOWN = `
  SELECT a.id, a.client_id AS "clientId", a.environment, a.name, a.public_name AS "publicName",
         a.logo_url AS "logoUrl", a.primary_color AS "primaryColor", a.status, a.scopes,
         a.rate_limit_per_second AS "perSecond", a.rate_limit_burst AS burst,
         a.ip_allow_list AS "ipAllowList", a.cors_origins AS "corsOrigins", a.api_version AS "apiVersion",
         a.created_at AS "createdAt", a.updated_at AS "updatedAt", a.last_used_at AS "lastUsedAt",
         coalesce((SELECT json_agg(json_build_object('id', s.id, 'createdAt', s.created_at, 'expiresAt', s.expires_at,
                                                     'lastUsedAt', s.last_used_at) ORDER BY s.created_at DESC, s.id DESC)
                   FROM client_secrets s
                   WHERE s.client_app_id = a.id AND s.revoked_at IS NULL
                     AND (s.expires_at IS NULL OR s.expires_at > now())), '[]') AS secrets
  FROM client_apps a`;

const SHAPE = {
  ...properties(
    ClientAppEntity,
    'id',
    'clientId',
    'environment',
    'name',
    'publicName',
    'logoUrl',
    'primaryColor',
  ),
  ...properties(ClientAppEntity, 'status', 'scopes', 'ipAllowList', 'corsOrigins', 'apiVersion', 'createdAt'),
  ...properties(ClientAppEntity, 'updatedAt', 'lastUsedAt'),
  perSecond: column(ClientAppEntity, 'rateLimitPerSecond'),
  burst: column(ClientAppEntity, 'rateLimitBurst'),
  secrets: value<readonly ShownSecret[]>('json'),
};

const ONE = statement(
  'auth.client-app',
  `${SHOWN} WHERE a.organisation_id = $1 AND a.environment = $2 AND a.id = $3`,
  SHAPE,
);

const LIST = statement(
  'auth.client-apps',
  `${SHOWN} WHERE a.organisation_id = $1 AND a.environment = $2 AND ($3::text IS NULL OR a.status = $3)
     AND ($4::uuid IS NULL OR a.id > $4) ORDER BY a.id LIMIT $5`,
  SHAPE,
);

/** Reads the applications of one organisation in this environment. */
@Injectable()
export class ClientAppQueries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /** One application, or null when the organisation has none with this id. */
  async one(organisationId: string, id: string): Promise<ShownApp | null> {
    const { environment } = this.settings;
    const rows = await this.uow.read(organisationId, (db) =>
      execute(db, ONE, [organisationId, environment, id]),
    );
    return rows[0] ?? null;
  }

  /** Applications in the order they were created, up to `limit` of them. */
  async list(organisationId: string, { status, after, limit }: AppFilter): Promise<ShownApp[]> {
    const values = [organisationId, this.settings.environment, status ?? null, after, limit];
    return this.uow.read(organisationId, (db) => execute(db, LIST, values));
  }
}
