import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  WatchedSubjects,
  type Subject,
  type AuditSubject,
  type TrailExpectation,
  expectationOf,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { ListIntegrityService } from './lists/list-integrity.service.js';
import { ScreeningListEntity } from './store/entities.js';

/** Declares to Audit the entries that the trails of lists and hits must have for their current states. */
@Injectable()
export class ListContract {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly listIntegrity: ListIntegrityService,
  ) {}

  @TrailContract('screening_list')
  async expectationOfList({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const list = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ScreeningListEntity, { organisationId, id }),
    );
    if (!list) return null;
    const { sequence } = list;
    const says = sequence > 0 ? { sequence, root: await this.listIntegrity.computeRoot(list) } : null;
    const expectedPublication = says ? [{ action: 'list.import_published' as const, says }] : [];
    return { ...expectationOf('screening_list', list), told: expectedPublication };
  }

  @WatchedSubjects('lists')
  async listSubjects(organisationId: string): Promise<readonly Subject[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db.find(ScreeningListEntity, { select: { id: true }, where: { organisationId } }),
    );
    return rows.map(({ id }) => ({ type: 'screening_list', id }));
  }
}
