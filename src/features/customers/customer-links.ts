import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import type { SubjectRef } from '../../platform/privacy/index.js';
import { registration, Registry } from '../../platform/registry/index.js';
import type { ActorContext } from '../audit/index.js';
import type { RecordMerge, RecordMove } from './domain/merging.js';

/** The method moves the rows of one record to the other. Safe to repeat: rows that come late are moved later. */
export const MoveWithCustomer = registration<
  (tx: Tx, ctx: ActorContext, merge: RecordMerge) => Promise<void>,
  string
>('move with a customer');

/** The method moves rows that are found by the person's key to the key that counts now; also when no record moves. */
export const RekeyWithCustomer = registration<
  (tx: Tx, ctx: ActorContext, move: RecordMove) => Promise<void>,
  string
>('new key with a customer');

/** The method returns subjects whose keys seal something about the customer, beside the keys of the record itself. */
export const SealedForCustomer = registration<
  (organisationId: string, customerId: string) => Promise<readonly SubjectRef[]>,
  string
>('subjects of a customer');

/** The method deletes the indexes that find these records by name. */
export const ForgetWithCustomer = registration<
  (tx: Tx, organisationId: string, customerIds: readonly string[]) => Promise<void>,
  string
>('forget with a customer');

/** Reaches the rows that modules above keep for customers, by registration: customers must not import them. */
@Injectable()
export class CustomerLinks {
  constructor(private readonly registry: Registry) {}

  /** Moves the rows of a record to another one, and under its key; safe to repeat. */
  async move(tx: Tx, ctx: ActorContext, move: RecordMove): Promise<void> {
    if (move.from !== move.into) {
      for (const { call } of this.registry.of(MoveWithCustomer).values()) await call(tx, ctx, move);
    }
    for (const { call } of this.registry.of(RekeyWithCustomer).values()) await call(tx, ctx, move);
  }

  /** Deletes the indexes that find erased records. */
  async forget(tx: Tx, organisationId: string, customerIds: readonly string[]): Promise<void> {
    for (const { call } of this.registry.of(ForgetWithCustomer).values()) {
      await call(tx, organisationId, customerIds);
    }
  }

  async subjects(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    const found: SubjectRef[] = [];
    for (const { call } of this.registry.of(SealedForCustomer).values()) {
      found.push(...(await call(organisationId, customerId)));
    }
    return found;
  }
}
