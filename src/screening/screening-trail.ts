import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type TrailGrammar,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import type { HitStatus } from './domain/hit.js';
import { HitRepository } from './store/hit.repository.js';
import { ListRepository } from './store/list.repository.js';

const listSteps = [
  'list.changed',
  'list.import_begun',
  'list.import_published',
  'list.import_rejected',
] as const;
const listOrder: Omit<TrailGrammar, 'last'> = {
  first: ['list.created'],
  follows: {
    'list.created': [...listSteps, 'list.archived'],
    'list.changed': [...listSteps, 'list.archived'],
    'list.import_begun': [...listSteps, 'list.archived'],
    'list.import_published': [...listSteps, 'list.archived'],
    'list.import_rejected': [...listSteps, 'list.archived'],
    'list.archived': ['list.archived', ...listSteps],
  },
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
  constructor(
    private readonly lists: ListRepository,
    private readonly hits: HitRepository,
  ) {}

  @TrailContract('screening_list')
  async screeningList({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const list = await this.lists.find(organisationId, id);
    return (
      list && {
        grammar: { ...listOrder, last: ['list.created', ...listSteps, 'list.archived'] },
        anchors: [],
      }
    );
  }

  @TrailContract('screening_hit')
  async screeningHit({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const hit = await this.hits.find(organisationId, id);
    return hit && { grammar: { ...hitOrder, last: hitEnds[hit.status] }, anchors: [] };
  }
}
