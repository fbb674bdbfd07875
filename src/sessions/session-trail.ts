import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TrailContracts, type TrailGrammar } from '../audit/index.js';
import { SessionRepository } from './store/session.repository.js';
import type { SessionStatus, StatusReason } from './domain/session.js';

const order: Omit<TrailGrammar, 'last'> = {
  first: ['session.created'],
  follows: {
    'session.created': ['session.submitted', 'session.expired', 'session.cancelled'],
    'session.submitted': ['session.completed'],
  },
};

function lastOf(status: SessionStatus, reason: StatusReason | null): TrailGrammar['last'] {
  switch (status) {
    case 'PENDING':
      return ['session.created'];
    case 'PROCESSING':
      return ['session.submitted'];
    case 'COMPLETED':
      return ['session.completed'];
    case 'EXPIRED':
      // The time can be over before the sweep has said so.
      return reason === 'CANCELLED' ? ['session.cancelled'] : ['session.expired', 'session.created'];
    default:
      return status satisfies never;
  }
}

/** Tells Audit what the trail of a session must look like in its present state. */
@Injectable()
export class SessionTrail implements OnModuleInit {
  constructor(
    private readonly contracts: TrailContracts,
    private readonly sessions: SessionRepository,
  ) {}

  onModuleInit(): void {
    this.contracts.register('session', async ({ organisationId, id }) => {
      const session = await this.sessions.find(organisationId, id);
      return (
        session && {
          grammar: { ...order, last: lastOf(session.status, session.statusReason) },
          anchors: [{ action: 'session.created', hash: session.trailHash }],
        }
      );
    });
  }
}
