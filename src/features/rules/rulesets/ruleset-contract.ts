import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  WatchedSubjects,
  type Subject,
  type AuditSubject,
  type TrailExpectation,
  expectationOf,
} from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { contentHashOf } from '../domain/content-hash.js';
import { RulesetEntity } from '../store/entities.js';

/** Declares the steps that the audit trails of rules, rulesets and back-tests may have, by their status. */
@Injectable()
export class RulesetContract {
  constructor(private readonly uow: UnitOfWork) {}

  @TrailContract('ruleset')
  async expectationOfRuleset(subject: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(subject.organisationId, (db) =>
      db.findOne(RulesetEntity, {
        select: { id: true, organisationId: true, status: true, publishedAt: true, content: true },
        where: { id: subject.id, organisationId: subject.organisationId },
      }),
    );
    if (!row) return null;
    const expected = expectationOf('ruleset', row);
    if (row.publishedAt === null) return expected;
    const says = { contentHash: contentHashOf(row.content) };
    return { ...expected, told: [{ action: 'ruleset.published', says }] };
  }

  @WatchedSubjects('rulesets')
  async listLiveSubjects(organisationId: string): Promise<readonly Subject[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(RulesetEntity, { select: { id: true }, where: { organisationId, status: 'PUBLISHED' } }),
    );
    return rows.map(({ id }) => ({ type: 'ruleset', id }));
  }
}
