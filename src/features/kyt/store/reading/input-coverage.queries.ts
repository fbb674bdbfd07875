import { Injectable } from '@nestjs/common';
import {
  columns,
  copyOut,
  statement,
  UnitOfWork,
  value,
  type CopiedRows,
} from '../../../../platform/database/index.js';
import { firstUuidAt } from '../../../../platform/kernel/index.js';
import type { InputName } from '../../../../platform/kernel/reference/inputs.js';
import { KytEvaluationEntity } from '../entities.js';

/** An application, and what it has said not to send. */
export interface ApplicationInUse {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly withoutInputs: readonly InputName[];
}

const APPS = statement(
  'kyt.applications-in-use',
  `SELECT json_agg(json_build_object('id', id, 'clientId', client_id, 'name', name,
     'withoutInputs', without_inputs)) AS applications
   FROM (SELECT * FROM client_apps WHERE organisation_id = $1 AND environment = $2 AND status <> 'REVOKED'
         ORDER BY last_used_at DESC NULLS LAST, id LIMIT $3) app`,
  { applications: value<readonly ApplicationInUse[] | null>('json') },
);

const NEWEST = statement(
  'kyt.newest-of-application',
  `SELECT e.transaction_ref, coalesce(e.risk_score, -1) AS score, e.outcome || '|' || e.brief AS brief, e.facts
   FROM (SELECT id FROM kyt_transactions
         WHERE client_app_id = $2 AND organisation_id = $1
           AND received_span >= ('x' || left($3::text, 8))::bit(32)::integer
         ORDER BY received_span DESC LIMIT $4) t
   JOIN kyt_evaluations e ON e.transaction_ref = t.id AND e.evaluation_version = 1
   WHERE e.organisation_id = $1 AND e.brief IS NOT NULL AND e.facts IS NOT NULL`,
  { ...columns(KytEvaluationEntity, 'transactionRef', 'facts'), score: 'integer', brief: 'text' },
);

/** Reads the newest evaluations of each application. */
@Injectable()
export class InputCoverageQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns applications that are not revoked, those that were used last first. */
  async listApplications(
    organisationId: string,
    environment: string,
    take: number,
  ): Promise<readonly ApplicationInUse[]> {
    const [row] = await this.uow.rows(organisationId, APPS, [organisationId, environment, take]);
    return row?.applications ?? [];
  }

  /** Returns first evaluations since a moment, the newest, as the bytes that PostgreSQL copies out. */
  readNewest(organisationId: string, clientAppId: string, since: Date, take: number): Promise<CopiedRows> {
    return this.uow.read(organisationId, (db) =>
      copyOut(db, NEWEST, [organisationId, clientAppId, firstUuidAt(since), take]),
    );
  }
}
