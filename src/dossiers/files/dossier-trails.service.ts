import { Injectable } from '@nestjs/common';
import { AuditTrail, Checkpoints, type TrailStatus, trailStatuses } from '../../audit/index.js';
import { inBoundedMemory } from '../../kernel/work/heap-guard.js';
import { publicId, type IdPrefix } from '../../kernel/index.js';
import type { DossierTrailView } from '../api/dossier.dto.js';
import type { DossierScope } from './dossier-scopes.service.js';

const MAX_NAMED = 50;
// The gravest finding of all names the verdict, as for one trail.
const GRAVITY: readonly TrailStatus[] = trailStatuses.toReversed();

/** Judges the trails of the records in a dossier. */
@Injectable()
export class DossierTrails {
  constructor(
    private readonly audit: AuditTrail,
    private readonly checkpoints: Checkpoints,
  ) {}

  /** Judges every trail that the dossier rests on, before anything of it is written. */
  async judge(
    organisationId: string,
    scope: DossierScope,
  ): Promise<{ readonly trail: DossierTrailView; readonly transactionCount: number }> {
    const incomplete: { subject: string; status: TrailStatus }[] = [];
    const seen = new Set<TrailStatus>();
    let subjects = 0;
    const look = async (
      type: 'customer' | 'review' | 'screening_hit' | 'session' | 'transaction',
      prefix: IdPrefix,
      ids: readonly string[],
    ): Promise<void> => {
      if (ids.length === 0) return;
      subjects += ids.length;
      for (const [id, { status }] of await this.audit.trailStatuses(organisationId, type, ids)) {
        if (status === 'COMPLETE') continue;
        seen.add(status);
        if (incomplete.length < MAX_NAMED) incomplete.push({ subject: publicId(prefix, id), status });
      }
    };
    if (scope.customer) await look('customer', 'cus', [scope.customer.id]);
    await look(
      'review',
      'rev',
      scope.reviews.map(({ id }) => id),
    );
    await look(
      'screening_hit',
      'hit',
      scope.hits.map(({ id }) => id),
    );
    await look(
      'session',
      'kys',
      scope.sessions.map(({ id }) => id),
    );
    let transactionCount = 0;
    for await (const ids of inBoundedMemory(scope.transactionIds())) {
      transactionCount += ids.length;
      await look('transaction', 'txn', ids);
    }
    const checkpoint = this.checkpoints.newest(organisationId);
    return {
      transactionCount,
      trail: {
        status: GRAVITY.find((status) => seen.has(status)) ?? 'COMPLETE',
        subjects,
        incomplete,
        checkpoint: checkpoint && {
          size: checkpoint.size,
          root: checkpoint.root,
          signedAt: checkpoint.signedAt,
        },
      },
    };
  }
}
