import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TrailContracts, type AuditSubject, type TrailExpectation } from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';

/** Tells Audit what the trail of an import of rates must look like: one entry, which says what was stored. */
@Injectable()
export class FxTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.contracts.register('fx_import', (subject) => this.expectation(subject));
  }

  private async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const rows: { source: string; rate_count: number; content_hash: Buffer; trail_hash: Buffer }[] =
      await this.uow.read(organisationId, (db) =>
        db.query('SELECT source, rate_count, content_hash, trail_hash FROM fx_imports WHERE id = $1', [id]),
      );
    const [row] = rows;
    if (!row) return null;
    const only = ['fx.rates_imported'] as const;
    return {
      grammar: { first: only, follows: {}, last: only },
      anchors: [
        {
          action: 'fx.rates_imported',
          hash: row.trail_hash,
          says: {
            source: row.source,
            rateCount: row.rate_count,
            contentHash: row.content_hash.toString('hex'),
          },
        },
      ],
    };
  }
}
