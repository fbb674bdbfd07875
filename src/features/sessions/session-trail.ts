import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type AuditAction,
  type TrailActionOrder,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { countEvents } from '../webhooks/index.js';
import { SessionDecisionEntity } from './store/entities/session-decision.entity.js';
import { SessionRepository } from './store/session.repository.js';
import type { SessionStatus, StatusReason } from './domain/session.js';

const AFTER_THE_END: readonly AuditAction[] = [
  'session.decided',
  'session.answers_revealed',
  'session.reopened',
];
const DONE: readonly AuditAction[] = ['session.decided', 'session.answers_revealed'];

/** The audit actions that publish an event. */
const TOLD: readonly AuditAction[] = [
  'session.created',
  'session.reopened',
  'session.completed',
  'session.expired',
  'session.cancelled',
  'session.decided',
];

const order: Omit<TrailActionOrder, 'last'> = {
  first: ['session.created'],
  beside: ['session.upload_refused', 'session.upload_repeated'],
  follows: {
    'session.created': [
      'session.submitted',
      'session.expired',
      'session.cancelled',
      'session.evidence_reused',
    ],
    'session.evidence_reused': ['session.submitted', 'session.expired', 'session.cancelled'],
    'session.submitted': ['session.completed', 'session.reopened'],
    'session.reopened': ['session.submitted', 'session.round_lapsed'],
    'session.round_lapsed': ['session.completed', 'session.reopened'],
    'session.completed': AFTER_THE_END,
    'session.decided': AFTER_THE_END,
    'session.answers_revealed': AFTER_THE_END,
  },
};

function lastOf(status: SessionStatus, reason: StatusReason | null): TrailActionOrder['last'] {
  switch (status) {
    case 'PENDING':
      return ['session.created', 'session.evidence_reused', 'session.reopened'];
    case 'PROCESSING':
      return ['session.submitted', 'session.round_lapsed'];
    case 'COMPLETED':
      return ['session.completed', ...DONE];
    case 'EXPIRED':
      // A session is EXPIRED as soon as its time is over; until the sweep records that, its last entry is an earlier
      // one.
      return reason === 'CANCELLED'
        ? ['session.cancelled']
        : ['session.expired', 'session.created', 'session.evidence_reused'];
    default:
      return status satisfies never;
  }
}

/** Declares to Audit the entries that the trail of a session must have for its current state. */
@Injectable()
export class SessionTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly sessions: SessionRepository,
  ) {}

  @TrailContract('session')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const session = await this.sessions.find(organisationId, id);
    if (!session) return null;
    const { decided, events } = await this.uow.read(organisationId, async (db) => ({
      decided: await db.find(SessionDecisionEntity, {
        where: { organisationId, sessionId: id },
        order: { eventSequence: 'ASC' },
      }),
      events: await countEvents(db, organisationId, [id]),
    }));
    return {
      counted: { rows: events.get(id) ?? 0, by: TOLD },
      grammar: { ...order, last: lastOf(session.status, session.statusReason) },
      anchors: [
        { action: 'session.created', hash: session.trailHash },
        ...decided.map(({ trailHash: hash, outcome }) => ({
          action: 'session.decided' as const,
          hash,
          says: { outcome },
        })),
      ],
    };
  }
}
