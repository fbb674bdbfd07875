import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { SubjectRef } from '../../platform/privacy/index.js';
import { registration, Registry } from '../../platform/registry/index.js';
import type { ActorContext } from '../audit/index.js';
import type { CustomerRecordMerge, CustomerRecordMove } from './domain/merging.js';

/** The method moves its rows of a merged record to the survivor. It runs again for late rows. */
export const MoveWithCustomer = registration<
  (tx: Tx, ctx: ActorContext, merge: CustomerRecordMerge) => Promise<void>,
  string
>('move with a customer');

/**
 * Customer merge or new document: the method looks its rows up by the person's former subject key and gives them the new
 * key.
 */
export const RekeyWithCustomer = registration<
  (tx: Tx, ctx: ActorContext, move: CustomerRecordMove) => Promise<void>,
  string
>('new key with a customer');

/** Erasure: the method returns further subjects whose data keys protect something about the customer. */
export const SealedForCustomer = registration<
  (organisationId: string, customerId: string) => Promise<readonly SubjectRef[]>,
  string
>('subjects of a customer');

/** Erasure: the method deletes the name indexes of these customers. */
export const ForgetWithCustomer = registration<
  (tx: Tx, organisationId: string, customerIds: readonly string[]) => Promise<void>,
  string
>('forget with a customer');

/** Reaches customers' rows in modules above. They register their methods, because this module must not import them. */
@Injectable()
export class CustomerRowRegistry {
  constructor(private readonly registry: Registry) {}

  /** Moves the rows of a customer record to another record and to its subject key. Safe to repeat. */
  async move(tx: Tx, ctx: ActorContext, move: CustomerRecordMove): Promise<void> {
    if (move.from !== move.into) {
      for (const { call } of this.registry.methodsOf(MoveWithCustomer).values()) await call(tx, ctx, move);
    }
    for (const { call } of this.registry.methodsOf(RekeyWithCustomer).values()) await call(tx, ctx, move);
  }

  /** Deletes the indexes that find erased records. */
  async forget(tx: Tx, organisationId: string, customerIds: readonly string[]): Promise<void> {
    for (const { call } of this.registry.methodsOf(ForgetWithCustomer).values()) {
      await call(tx, organisationId, customerIds);
    }
  }

  async listKeySubjects(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    const subjects: SubjectRef[] = [];
    for (const { call } of this.registry.methodsOf(SealedForCustomer).values()) {
      subjects.push(...(await call(organisationId, customerId)));
    }
    return subjects;
  }
}
