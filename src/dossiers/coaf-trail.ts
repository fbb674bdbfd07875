import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TrailContracts, type TrailGrammar } from '../audit/index.js';
import type { FilingStatus } from './domain/filing.js';
import { CommunicationRepository } from './store/communication.repository.js';

const order: Omit<TrailGrammar, 'last'> = {
  first: ['communication.drafted'],
  follows: {
    'communication.drafted': ['communication.filing_recorded'],
    'communication.filing_recorded': ['communication.filed', 'communication.filing_refused'],
    'communication.filing_refused': ['communication.filing_recorded'],
    'communication.filed': [],
  },
};

const ends: Readonly<Record<FilingStatus, TrailGrammar['last']>> = {
  DRAFT: ['communication.drafted', 'communication.filing_refused'],
  RECORDED: ['communication.filing_recorded'],
  FILED: ['communication.filed'],
};

/** Tells Audit what the trail of a communication must look like in its present state. */
@Injectable()
export class CoafTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly communications: CommunicationRepository,
  ) {}

  onModuleInit(): void {
    this.contracts.register('communication', async ({ organisationId, id }) => {
      const row = await this.communications.find(organisationId, id);
      return (
        row && {
          grammar: { ...order, last: ends[row.status] },
          anchors: [{ action: 'communication.drafted', hash: row.trailHash, says: { kind: row.kind } }],
        }
      );
    });
  }
}
