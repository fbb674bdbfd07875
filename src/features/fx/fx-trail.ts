import { Injectable } from '@nestjs/common';
import { TrailContract, type AuditSubject, type TrailExpectation } from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { FxImportEntity } from './store/entities/fx-import.entity.js';

/** Describes the audit trail that an import of rates must have: one entry, with the source and the rates. */
@Injectable()
export class FxTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('fx_import')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(FxImportEntity, { organisationId, id }),
    );
    if (!row) return null;
    const only = ['fx.rates_imported'] as const;
    return {
      grammar: { first: only, follows: {}, last: only },
      anchors: [
        {
          action: 'fx.rates_imported',
          hash: row.trailHash,
          says: {
            source: row.source,
            rateCount: row.rateCount,
            contentHash: row.contentHash.toString('hex'),
          },
        },
      ],
    };
  }
}
