import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import type { SubjectRef } from '../privacy/index.js';
import type { Acting } from '../audit/index.js';
import type { Merge, Move } from './domain/merging.js';

/** What another module has that belongs to customers. */
export interface CustomerTie {
  /** Moves what belongs to one record to the other. Safe to repeat: what comes late is moved later. */
  readonly move?: (tx: Tx, acting: Acting, merge: Merge) => Promise<void>;
  /** Brings what is found by the key of the person under the key that counts now; also when no record moves. */
  readonly rekey?: (tx: Tx, acting: Acting, move: Move) => Promise<void>;
  /** Under whose keys something about the customer is sealed beside the keys of the record itself. */
  readonly subjects?: (organisationId: string, customerId: string) => Promise<readonly SubjectRef[]>;
}

/** Where modules above say what they have of customers: customers stand below them. */
@Injectable()
export class CustomerTies {
  private readonly ties: CustomerTie[] = [];

  register(tie: CustomerTie): void {
    this.ties.push(tie);
  }

  /** Moves what belongs to a record to another one, and under its key; safe to repeat. */
  async move(tx: Tx, acting: Acting, move: Move): Promise<void> {
    for (const tie of this.ties) {
      if (move.from !== move.into) await tie.move?.(tx, acting, move);
      await tie.rekey?.(tx, acting, move);
    }
  }

  async subjects(organisationId: string, customerId: string): Promise<SubjectRef[]> {
    const found: SubjectRef[] = [];
    for (const tie of this.ties) found.push(...((await tie.subjects?.(organisationId, customerId)) ?? []));
    return found;
  }
}
