import { Inject, Injectable, Logger } from '@nestjs/common';
import { isDatabaseAway } from '../database/index.js';
import {
  FactSheet,
  featureSchema,
  shippedLists,
  type ComponentName,
  type Evidence,
  type Finding,
  type Findings,
  type ListLookup,
} from '../rules/index.js';
import { ListLookups } from '../screening/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import { assembleEvidence, FACT_PROVIDERS, type FactProvider } from './domain/evidence.js';

type Look = (provider: FactProvider, sheets: readonly FactSheet[]) => Promise<readonly Findings[]>;

/** Asks every provider of facts about a batch; what one of them cannot say never keeps the others from saying theirs. */
@Injectable()
export class FactFinder {
  private readonly logger = new Logger(FactFinder.name);
  private readonly shipped = shippedLists();

  constructor(
    @Inject(FACT_PROVIDERS) private readonly providers: readonly FactProvider[],
    private readonly lookups: ListLookups,
  ) {}

  /** The evidence about each transaction, in order. */
  find(batch: readonly OpenTransaction[]): Promise<Evidence[]> {
    return this.gather(batch, (provider, sheets) => provider.find(batch, sheets));
  }

  /** The evidence about transactions that are not stored; nothing is written, and nobody outside is asked. */
  rehearse(batch: readonly OpenTransaction[]): Promise<Evidence[]> {
    return this.gather(batch, (provider, sheets) =>
      provider.rehearse ? provider.rehearse(batch, sheets) : provider.find(batch, sheets),
    );
  }

  private async gather(batch: readonly OpenTransaction[], look: Look): Promise<Evidence[]> {
    if (batch.length === 0) return [];
    const lists = new Map<string, ListLookup>();
    for (const { organisationId } of batch) {
      if (!lists.has(organisationId)) lists.set(organisationId, this.listsOf(organisationId));
    }
    const sheets = batch.map(({ organisationId }) => new FactSheet(featureSchema, lists.get(organisationId)));
    const found: (readonly Findings[])[] = [];
    // One after the other: later ones build on what earlier ones set, as velocity does on the amount in reais.
    for (const provider of this.providers) found.push(await this.ask(provider, batch, sheets, look));
    return batch.map((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      return assembleEvidence(
        transaction,
        sheet,
        found.map((findings) => findings[i] ?? {}),
      );
    });
  }

  /** An organisation's own lists, and those that ship where it has none of that name. */
  private listsOf(organisationId: string): ListLookup {
    const own = this.lookups.of(organisationId);
    return { has: (list, value) => own.has(list, value) ?? this.shipped.has(list, value) };
  }

  private async ask(
    provider: FactProvider,
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    look: Look,
  ): Promise<readonly Findings[]> {
    try {
      const found = await look(provider, sheets);
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
