import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../audit/index.js';
import { MoveWithCustomer, type CustomerMerge } from '../customers/index.js';
import type { Tx } from '../../platform/database/index.js';
import { ReviewPersonEntity, ReviewEntity } from './store/entities.js';

/** Moves the cases of a merged customer to the surviving customer. */
@Injectable()
export class CustomerCasesService {
  @MoveWithCustomer('cases')
  async move(tx: Tx, _ctx: ActorContext, { organisationId, from, into }: CustomerMerge): Promise<void> {
    await tx.update(
      ReviewEntity,
      { organisationId, customerId: from },
      { customerId: into, movedFrom: from, collects: false, updatedAt: () => 'now()' },
    );
    const people = await tx.findBy(ReviewPersonEntity, { organisationId, customerId: from });
    if (people.length === 0) return;
    await tx.delete(ReviewPersonEntity, { organisationId, customerId: from });
    await tx
      .createQueryBuilder()
      .insert()
      .into(ReviewPersonEntity)
      .values(
        people.map(({ reviewId, linkedAt }) => ({ reviewId, organisationId, linkedAt, customerId: into })),
      )
      .orIgnore()
      .execute();
  }
}
