import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type AuditSubject,
  type TrailExpectation,
  expectationOf,
  sheetOf,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { countEvents } from '../webhooks/index.js';
import { SessionDecisionEntity } from './store/entities.js';
import { SessionRepository } from './store/session.repository.js';

/** Declares to Audit the entries that the trail of a session must have for its current state. */
@Injectable()
export class SessionContract {
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
    const { anchors, ...expected } = expectationOf('session', session);
    return {
      ...expected,
      counted: { rows: events.get(id) ?? 0, by: sheetOf('session').events ?? [] },
      anchors: [
        ...anchors,
        ...decided.map(({ trailHash: hash, outcome }) => ({
          action: 'session.decided' as const,
          hash,
          says: { outcome },
        })),
      ],
    };
  }
}
