import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type TrailGrammar,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import { UnitOfWork } from '../database/index.js';
import type { HitStatus } from './domain/hit.js';
import { FreezeEntity } from './store/entities/freeze.entity.js';
import { ScreeningHitEntity } from './store/entities/screening-hit.entity.js';
import { ScreeningListEntity } from './store/entities/screening-list.entity.js';

const listSteps = [
  'list.changed',
  'list.import_begun',
  'list.import_published',
  'list.import_rejected',
  'list.archived',
] as const;
const listGrammar: TrailGrammar = {
  first: ['list.created'],
  follows: {
    'list.created': listSteps,
    'list.changed': listSteps,
    'list.import_begun': listSteps,
    'list.import_published': listSteps,
    'list.import_rejected': listSteps,
    'list.archived': listSteps,
  },
  last: ['list.created', ...listSteps],
};

const hitOrder: Omit<TrailGrammar, 'last'> = {
  first: ['hit.found'],
  follows: {
    'hit.found': ['hit.decided', 'hit.reopened'],
    'hit.decided': ['hit.decided', 'hit.reopened'],
    'hit.reopened': ['hit.decided', 'hit.reopened'],
  },
};

const hitEnds: Readonly<Record<HitStatus, TrailGrammar['last']>> = {
  PENDING: ['hit.found', 'hit.reopened'],
  ESCALATED: ['hit.decided'],
  CONFIRMED: ['hit.decided'],
  DISMISSED_FALSE_POSITIVE: ['hit.decided'],
};

/** Tells Audit what the trails of lists and hits must look like in their present states. */
@Injectable()
export class ScreeningTrail {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('screening_list')
  async screeningList({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const exists = await this.uow.read(organisationId, (db) =>
      db.existsBy(ScreeningListEntity, { organisationId, id }),
    );
    return exists ? { grammar: listGrammar, anchors: [] } : null;
  }

  @TrailContract('screening_hit')
  async screeningHit({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const hit = await this.uow.read(organisationId, (db) =>
      db.findOne(ScreeningHitEntity, { select: { id: true, status: true }, where: { organisationId, id } }),
    );
    return hit && { grammar: { ...hitOrder, last: hitEnds[hit.status] }, anchors: [] };
  }

  @TrailContract('freeze')
  async freeze({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const freeze = await this.uow.read(organisationId, (db) =>
      db.findOneBy(FreezeEntity, { organisationId, id }),
    );
    if (!freeze) return null;
    const follows: TrailGrammar['follows'] = {
      'freeze.placed': ['freeze.told', 'freeze.lifted'],
      'freeze.told': ['freeze.told', 'freeze.lifted'],
      'freeze.lifted': ['freeze.told'],
    };
    const last: TrailGrammar['last'] =
      freeze.liftedAt === null ? ['freeze.placed', 'freeze.told'] : ['freeze.told', 'freeze.lifted'];
    return { grammar: { first: ['freeze.placed'], follows, last }, anchors: [] };
  }
}
