import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  CheckpointsService,
  type SubjectType,
  type TrailStatus,
  trailStatuses,
} from '../../audit/index.js';
import { throttlePages } from '../../../platform/kernel/work/long-work.js';
import { pick, publicId, type IdPrefix } from '../../../platform/kernel/index.js';
import type { DossierTrail } from '../domain/dossier.js';
import { DossierScopes, operatorSubjectsOf, type DossierScope } from './dossier-scopes.js';

const MAX_NAMED = 50;
// The most severe status of all trails is the status of the dossier.
const GRAVITY: readonly TrailStatus[] = trailStatuses.toReversed();

/** Verifies the audit trails of all records in a dossier. */
@Injectable()
export class DossierTrails {
  constructor(
    private readonly audit: AuditTrail,
    private readonly checkpoints: CheckpointsService,
    private readonly scopes: DossierScopes,
  ) {}

  /** Verifies every trail of the dossier, before the dossier is written. */
  async verify(
    organisationId: string,
    scope: DossierScope,
  ): Promise<{ readonly trail: DossierTrail; readonly transactionCount: number }> {
    const incomplete: { subject: string; status: TrailStatus }[] = [];
    const seenStatuses = new Set<TrailStatus>();
    let subjects = 0;
    const verifyTrails = async (
      type: SubjectType,
      prefix: IdPrefix,
      ids: readonly string[],
    ): Promise<void> => {
      if (ids.length === 0) return;
      subjects += ids.length;
      for (const [id, { status }] of await this.audit.trailStatuses(organisationId, type, ids)) {
        if (status === 'COMPLETE') continue;
        seenStatuses.add(status);
        const uuid = id.slice(id.indexOf(':') + 1);
        if (incomplete.length < MAX_NAMED) incomplete.push({ subject: publicId(prefix, uuid), status });
      }
    };
    if (scope.customer) await verifyTrails('customer', 'cus', [scope.customer.id]);
    await verifyTrails(
      'review',
      'rev',
      scope.reviews.map(({ id }) => id),
    );
    await verifyTrails(
      'screening_hit',
      'hit',
      scope.hits.map(({ id }) => id),
    );
    await verifyTrails(
      'session',
      'kys',
      scope.sessions.map(({ id }) => id),
    );
    await verifyTrails(
      'communication',
      'com',
      (await this.scopes.communicationsIn(organisationId, scope)).map(({ id }) => id),
    );
    await verifyTrails('screening_list', 'lst', [...new Set(scope.hits.map(({ listId }) => listId))]);
    await verifyTrails('approval', 'apr', await this.scopes.approvalsIn(organisationId, scope));
    await verifyTrails('state', 'opr', operatorSubjectsOf(scope));
    let transactionCount = 0;
    for await (const ids of throttlePages(organisationId, scope.transactionIds())) {
      transactionCount += ids.length;
      await verifyTrails('transaction', 'txn', ids);
    }
    const checkpoint = this.checkpoints.findNewest(organisationId);
    return {
      transactionCount,
      trail: {
        status: GRAVITY.find((status) => seenStatuses.has(status)) ?? 'COMPLETE',
        subjects,
        incomplete,
        checkpoint: checkpoint && {
          ...pick(checkpoint, 'size', 'root', 'signedAt'),
        },
      },
    };
  }
}
