import { Inject, Injectable, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../../database/index.js';
import {
  FactSheet,
  featureSchema,
  shippedLists,
  type ComponentName,
  type Finding,
  type Findings,
  type ListLookup,
} from '../../rules/index.js';
import { ListLookups } from '../../screening/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import {
  assembleEvidence,
  FACT_PROVIDERS,
  NO_PARTIES,
  type FactProvider,
  type FoundParties,
  type TransactionEvidence,
} from '../domain/facts/evidence.js';

type Look = (
  provider: FactProvider,
  sheets: readonly FactSheet[],
  parties: FoundParties[],
) => Promise<readonly Findings[]>;

/** Asks every provider of facts about a batch; what one of them cannot say never keeps the others from saying theirs. */
@Injectable()
export class FactCollector {
  private readonly logger = new Logger(FactCollector.name);
  private readonly shipped = shippedLists();

  constructor(
    @Inject(FACT_PROVIDERS) private readonly providers: readonly FactProvider[],
    private readonly lookups: ListLookups,
  ) {}

  /** The evidence about each transaction, in order. */
  find(batch: readonly OpenTransaction[]): Promise<TransactionEvidence[]> {
    return this.gather(batch, (provider, sheets, parties) => provider.find(batch, sheets, parties));
  }

  /** The evidence about transactions that are not stored; nothing is written, and nobody outside is asked. */
  rehearse(batch: readonly OpenTransaction[]): Promise<TransactionEvidence[]> {
    return this.gather(batch, (provider, sheets, parties) =>
      provider.rehearse ? provider.rehearse(batch, sheets, parties) : provider.find(batch, sheets, parties),
    );
  }

  private async gather(batch: readonly OpenTransaction[], look: Look): Promise<TransactionEvidence[]> {
    if (batch.length === 0) return [];
    const lists = new Map<string, ListLookup>();
    for (const { organisationId } of batch) {
      if (!lists.has(organisationId)) lists.set(organisationId, this.listsOf(organisationId));
    }
    const sheets = batch.map(({ organisationId }) => new FactSheet(featureSchema, lists.get(organisationId)));
    const parties = batch.map(() => NO_PARTIES);
    const found: (readonly Findings[])[] = [];
    // One after the other: later ones build on what earlier ones set, as velocity does on the amount in reais.
    for (const provider of this.providers) {
      found.push(await this.ask(provider, batch, () => look(provider, sheets, parties), sheets));
    }
    return batch.map((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      return assembleEvidence(
        transaction,
        sheet,
        found.map((findings) => findings[i] ?? {}),
        parties[i] ?? NO_PARTIES,
      );
    });
  }

  /** An organisation's own lists, and those that ship where it has none of that name. */
  listsOf(organisationId: string): ListLookup {
    const own = this.lookups.of(organisationId);
    return { has: (list, value) => own.has(list, value) ?? this.shipped.has(list, value) };
  }

  private async ask(
    provider: FactProvider,
    batch: readonly OpenTransaction[],
    look: () => Promise<readonly Findings[]>,
    sheets: readonly FactSheet[],
  ): Promise<readonly Findings[]> {
    try {
      const found = await look();
      if (found.length !== batch.length) throw new Error('a provider of facts forgot a transaction');
      return found;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.error(
        `the provider of ${provider.components.join(', ')} failed`,
        error instanceof Error ? error.stack : undefined,
      );
      for (const sheet of sheets) fail(sheet, provider);
      return batch.map(({ receivedAt }) => failed(provider.components, receivedAt));
    }
  }
}

/** Half of what a provider sets is not a half truth: all of its facts are ERROR. */
function fail(sheet: FactSheet, { sources }: FactProvider): void {
  for (const { name, source } of featureSchema.features) {
    if (sources.includes(source)) sheet.setUnknown(name, 'ERROR', 'PROVIDER_FAILED');
  }
}

function failed(components: readonly ComponentName[], receivedAt: Date): Findings {
  const finding: Finding = {
    state: 'ERROR',
    source: 'provider',
    asOf: receivedAt.toISOString(),
    reason: 'PROVIDER_FAILED',
  };
  return Object.fromEntries(components.map((name) => [name, finding]));
}
