import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type TrailActionOrder,
  type AuditSubject,
  type TrailExpectation,
} from '../../audit/index.js';
import type { FilingStatus } from '../domain/coaf/filing.js';
import { CommunicationRepository } from '../store/communication.repository.js';

/** The audit actions that may follow a draft. */
const NEXT = ['communication.edited', 'communication.filing_recorded', 'communication.dismissed'] as const;

const order: Omit<TrailActionOrder, 'last'> = {
  first: ['communication.drafted'],
  follows: {
    'communication.drafted': NEXT,
    'communication.edited': NEXT,
    'communication.filing_recorded': ['communication.filed', 'communication.filing_refused'],
    'communication.filing_refused': NEXT,
    'communication.filed': [],
    'communication.dismissed': [],
  },
};

const ends: Readonly<Record<FilingStatus, TrailActionOrder['last']>> = {
  DRAFT: ['communication.drafted', 'communication.edited', 'communication.filing_refused'],
  RECORDED: ['communication.filing_recorded'],
  FILED: ['communication.filed'],
  DISMISSED: ['communication.dismissed'],
};

/** Defines the audit trail that the current state of a communication requires. */
@Injectable()
export class CoafTrail {
  constructor(private readonly communications: CommunicationRepository) {}

  @TrailContract('communication')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.communications.find(organisationId, id);
    return (
      row && {
        grammar: { ...order, last: ends[row.status] },
        anchors: [{ action: 'communication.drafted', hash: row.trailHash, says: { kind: row.kind } }],
      }
    );
  }
}
