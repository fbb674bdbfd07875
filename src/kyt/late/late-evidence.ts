import { Injectable } from '@nestjs/common';
import { decodeFacts, FactSheet, featureSchema } from '../../rules/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import { assembleEvidence, NO_PARTIES, type TransactionEvidence } from '../domain/facts/evidence.js';
import { findingsOf, putBack, type StoredReceipt } from '../domain/replay.js';
import { FactCollector } from '../facts/fact-collector.js';
import { ScreeningFactProvider } from '../facts/screening.fact-provider.js';
import { VelocityFactProvider } from '../facts/velocity.fact-provider.js';

/** The facts that an evaluation was made of, with the windows as they are with the late transactions. */
@Injectable()
export class LateEvidence {
  constructor(
    private readonly facts: FactCollector,
    private readonly velocity: VelocityFactProvider,
    private readonly screening: ScreeningFactProvider,
  ) {}

  /** Everything but the windows stays as it was read: a list or a profile of today is no matter of late transactions. */
  async of(
    transaction: OpenTransaction,
    stored: Pick<StoredReceipt, 'components'>,
    facts: Buffer,
  ): Promise<TransactionEvidence> {
    const lists = this.facts.listsOf(transaction.organisationId);
    const { sheet, withheld } = decodeFacts(facts, featureSchema, lists);
    putBack(sheet, withheld, transaction);
    const parties = [NO_PARTIES];
    const [windows = {}] = await this.velocity.find([transaction], [sheet], parties);
    // For the case alone: who the customer is, and which hits stand.
    await this.screening.rehearse([transaction], [new FactSheet(featureSchema)], parties);
    return assembleEvidence(
      transaction,
      sheet,
      [findingsOf(stored.components), windows],
      parties[0] ?? NO_PARTIES,
    );
  }
}
