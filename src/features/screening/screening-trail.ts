import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  WatchedSubjects,
  type Subject,
  type TrailActionOrder,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { ListIntegrityService } from './lists/list-integrity.service.js';
import type { HitStatus } from './domain/hit.js';
import { FreezeEntity } from './store/entities/freeze.entity.js';
import { ScreeningHitEntity } from './store/entities/screening-hit.entity.js';
import { ScreeningListEntity } from './store/entities/screening-list.entity.js';

const listSteps = [
  'list.changed',
  'list.import_begun',
  'list.import_read',
  'list.import_published',
  'list.import_rejected',
  'list.archived',
] as const;
const listGrammar: TrailActionOrder = {
  first: ['list.created'],
  follows: {
    'list.created': listSteps,
    'list.changed': listSteps,
    'list.import_begun': listSteps,
    'list.import_read': listSteps,
    'list.import_published': listSteps,
    'list.import_rejected': listSteps,
    'list.archived': listSteps,
  },
  last: ['list.created', ...listSteps],
};

const hitOrder: Omit<TrailActionOrder, 'last'> = {
  first: ['hit.found'],
  follows: {
    'hit.found': ['hit.decided', 'hit.reopened'],
    'hit.decided': ['hit.decided', 'hit.reopened'],
    'hit.reopened': ['hit.decided', 'hit.reopened'],
  },
};

const hitEnds: Readonly<Record<HitStatus, TrailActionOrder['last']>> = {
  PENDING: ['hit.found', 'hit.reopened'],
  ESCALATED: ['hit.decided'],
  CONFIRMED: ['hit.decided'],
  DISMISSED_FALSE_POSITIVE: ['hit.decided'],
};

/** Declares to Audit the entries that the trails of lists and hits must have for their current states. */
@Injectable()
export class ScreeningTrail {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly trust: ListIntegrityService,
  ) {}

  @TrailContract('screening_list')
  async expectationOfList({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const list = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, id }),
    );
    if (!list) return null;
    const { sequence } = list;
    const says = sequence > 0 ? { sequence, root: await this.trust.computeRoot(list) } : null;
    const told = says ? [{ action: 'list.import_published' as const, says }] : [];
    return { grammar: listGrammar, anchors: [], told };
  }

  @WatchedSubjects('lists')
  async listSubjects(organisationId: string): Promise<readonly Subject[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ScreeningListEntity, { select: { id: true }, where: { organisationId } }),
    );
    return rows.map(({ id }) => ({ type: 'screening_list', id }));
  }

  @TrailContract('screening_hit')
  async expectationOfHit({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const hit = await this.uow.read(organisationId, (db) =>
      db.findOne(ScreeningHitEntity, { select: { id: true, status: true }, where: { organisationId, id } }),
    );
    return hit && { grammar: { ...hitOrder, last: hitEnds[hit.status] }, anchors: [] };
  }

  @TrailContract('freeze')
  async expectationOfFreeze({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const freeze = await this.uow.read(organisationId, (db) =>
      db.findOneBy(FreezeEntity, { organisationId, id }),
    );
    if (!freeze) return null;
    const follows: TrailActionOrder['follows'] = {
      'freeze.placed': ['freeze.told', 'freeze.lifted'],
      'freeze.told': ['freeze.told', 'freeze.lifted'],
      'freeze.lifted': ['freeze.told'],
    };
    const last: TrailActionOrder['last'] =
      freeze.liftedAt === null ? ['freeze.placed', 'freeze.told'] : ['freeze.told', 'freeze.lifted'];
    return { grammar: { first: ['freeze.placed'], follows, last }, anchors: [] };
  }
}
