import { Injectable } from '@nestjs/common';
import { TrailContract, type AuditAction, type AuditSubject, type TrailExpectation } from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import type { ApprovalStatus } from './domain/approval.js';
import { ApprovalEntity } from './store/entities/approval.entity.js';

const LAST: Readonly<Record<ApprovalStatus, AuditAction>> = {
  REQUESTED: 'approval.requested',
  APPROVED: 'approval.approved',
  APPLIED: 'approval.applied',
  REFUSED: 'approval.refused',
  WITHDRAWN: 'approval.withdrawn',
  EXPIRED: 'approval.expired',
  FAILED: 'approval.failed',
};

/** Declares which audit actions the trail of a request may have, and which action is the last in each status. */
@Injectable()
export class ApprovalTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('approval')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ApprovalEntity, { organisationId, id }),
    );
    if (!row) return null;
    return {
      grammar: {
        first: ['approval.requested'],
        follows: {
          'approval.requested': [
            'approval.approved',
            'approval.refused',
            'approval.withdrawn',
            'approval.expired',
          ],
          'approval.approved': ['approval.applied', 'approval.withdrawn', 'approval.failed'],
        },
        last: [LAST[row.status]],
      },
      anchors: [],
    };
  }
}
