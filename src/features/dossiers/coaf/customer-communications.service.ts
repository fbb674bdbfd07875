import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../../audit/index.js';
import { MoveWithCustomer, type CustomerMerge } from '../../customers/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { CoafCommunicationEntity } from '../store/entities.js';

/** Moves communications to the surviving customer of a merge. Filed content does not change. */
@Injectable()
export class CustomerCommunicationsService {
  @MoveWithCustomer('communications')
  async move(tx: Tx, _ctx: ActorContext, { organisationId, from, into }: CustomerMerge): Promise<void> {
    await tx.update(CoafCommunicationEntity, { organisationId, customerId: from }, { customerId: into });
  }
}
