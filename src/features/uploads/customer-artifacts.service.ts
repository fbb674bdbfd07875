import { Injectable } from '@nestjs/common';
import type { ActorContext } from '../audit/index.js';
import { MoveWithCustomer, SealedForCustomer, type CustomerMerge } from '../customers/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { SubjectRef } from '../../platform/privacy/index.js';
import { ArtifactsService } from './artifacts.service.js';

/** Moves files in a merge of customers, and finds the subjects whose data keys encrypt a customer's files. */
@Injectable()
export class CustomerArtifactsService {
  constructor(private readonly artifacts: ArtifactsService) {}

  @MoveWithCustomer('files')
  async move(tx: Tx, ctx: ActorContext, { from, into }: CustomerMerge): Promise<void> {
    await this.artifacts.moveToSurvivingCustomer(tx, ctx, { from, to: into });
  }

  @SealedForCustomer('files')
  listKeySubjects(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    return this.artifacts.subjectsOf(organisationId, customerId);
  }
}
