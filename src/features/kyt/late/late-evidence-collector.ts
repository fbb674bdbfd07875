import { Injectable } from '@nestjs/common';
import {
  FactSheet,
  featureSchema,
  evaluationSchema,
  restoreOtherwise,
  RulesetRegistryService,
  type PublishedRuleset,
} from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import { assembleEvidence, NO_PARTIES, type TransactionEvidence } from '../domain/facts/evidence.js';
import { restoreEvaluationInputs, type StoredReceipt } from '../domain/replay.js';
import { FactCollector } from '../facts/fact-collector.js';
import { ScreeningFactProvider } from '../facts/screening.fact-provider.js';
import { VelocityFactProvider } from '../facts/windows/velocity.fact-provider.js';

/** Restores the facts of an evaluation, but with windows that include the late transactions. */
@Injectable()
export class LateEvidenceCollector {
  constructor(
    private readonly factCollector: FactCollector,
    private readonly velocity: VelocityFactProvider,
    private readonly screening: ScreeningFactProvider,
    private readonly rulesets: RulesetRegistryService,
  ) {}

  /** Recomputes the windows only: late transactions must not bring in today's lists or profiles. */
  async collect(
    transaction: DecryptedTransaction,
    {
      deciding,
      shadows,
    }: { readonly deciding: PublishedRuleset | null; readonly shadows: readonly PublishedRuleset[] },
    stored: Pick<StoredReceipt, 'components' | 'unconfirmed' | 'otherwise'>,
    facts: Buffer,
  ): Promise<TransactionEvidence> {
    const lists = this.factCollector.createListLookup(transaction.organisationId);
    const schema = evaluationSchema(deciding ? [deciding, ...shadows] : shadows);
    const { sheet, findings } = restoreEvaluationInputs(transaction, stored, facts, { schema, lists });
    if (stored.otherwise) restoreOtherwise(sheet, stored.otherwise);
    const parties = [NO_PARTIES];
    const [windows = {}] = await this.velocity.find([transaction], [sheet], parties);
    // Only the case needs the results: the customer, and the current hits.
    await this.screening.dryRun([transaction], [new FactSheet(featureSchema)], parties);
    return {
      live: await this.rulesets.readLive(transaction.organisationId),
      ...assembleEvidence(transaction, sheet, [findings, windows], parties[0] ?? NO_PARTIES),
      unconfirmed: stored.unconfirmed,
    };
  }
}
