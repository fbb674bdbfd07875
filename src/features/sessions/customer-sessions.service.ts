import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../audit/index.js';
import { MoveWithCustomer, SealedForCustomer, type CustomerMerge } from '../customers/index.js';
import { UnitOfWork, type Tx } from '../../platform/database/index.js';
import type { SubjectRef } from '../../platform/privacy/index.js';
import { SessionEntity } from './store/entities.js';

/** Moves the sessions in a merge of customers, and returns the subjects whose data keys encrypt sessions. */
@Injectable()
export class CustomerSessionsService {
  constructor(private readonly uow: UnitOfWork) {}

  @MoveWithCustomer('sessions')
  async move(tx: Tx, _ctx: ActorContext, { organisationId, from, into }: CustomerMerge): Promise<void> {
    await tx.update(SessionEntity, { organisationId, customerId: from }, { customerId: into });
  }

  @SealedForCustomer('sessions')
  async listSubjects(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    const rows = await this.uow.read(organisationId, (db) =>
      db
        .createQueryBuilder(SessionEntity, 's')
        .select('DISTINCT s.subjectIndex', 'index')
        .where({ organisationId, customerId })
        .getRawMany<{ index: Buffer }>(),
    );
    return rows.map(({ index }) => ({ organisationId, index }));
  }
}
