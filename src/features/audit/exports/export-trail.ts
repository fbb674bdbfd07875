import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { requestedEntryContent } from './audit-exports.service.js';
import type { AuditAction, AuditSubject } from '../domain/entry.js';
import type { TrailExpectation } from '../domain/trail.js';
import type { ExportStatus } from '../domain/export.js';
import { AuditExportEntity } from '../store/entities/exports/audit-export.entity.js';
import { TrailContract } from '../trail/trail-contracts.js';

const lastFor: Readonly<Record<ExportStatus, readonly AuditAction[]>> = {
  QUEUED: ['audit_export.requested'],
  RUNNING: ['audit_export.requested'],
  READY: ['audit_export.finished', 'audit_export.downloaded'],
  BLOCKED: ['audit_export.blocked'],
  FAILED: ['audit_export.failed'],
  EXPIRED: ['audit_export.expired'],
};

@Injectable()
export class ExportTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('audit_export')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(AuditExportEntity, { organisationId, id }),
    );
    if (!row) return null;
    return {
      grammar: {
        first: ['audit_export.requested'],
        follows: {
          'audit_export.requested': ['audit_export.finished', 'audit_export.blocked', 'audit_export.failed'],
          'audit_export.finished': ['audit_export.downloaded', 'audit_export.expired'],
          'audit_export.downloaded': ['audit_export.downloaded', 'audit_export.expired'],
        },
        last: lastFor[row.status],
      },
      anchors: [{ action: 'audit_export.requested', hash: row.trailHash, says: requestedEntryContent(row) }],
    };
  }
}
