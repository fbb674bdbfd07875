import { Inject, Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../../platform/database/index.js';
import { required } from '../../../platform/kernel/index.js';
import {
  FactSheet,
  featureSchema,
  RulesetRegistryService,
  shippedLists,
  type ComponentName,
  type FeatureSchema,
  type ComponentFinding,
  type ComponentFindings,
  type ListLookup,
} from '../../rules/index.js';
import { SandboxFactProvider } from './sandbox.fact-provider.js';
import { ListLookups } from '../../screening/index.js';
import { selectionKeyOf, type DecryptedTransaction } from '../domain/claimed.js';
import {
  assembleEvidence,
  FACT_PROVIDERS,
  NO_PARTIES,
  type FactProvider,
  type FactProviderSteps,
  type IdentifiedParties,
  type TransactionEvidence,
} from '../domain/facts/evidence.js';

type FindFacts = (
  provider: FactProvider,
  sheets: readonly FactSheet[],
  parties: IdentifiedParties[],
) => Promise<readonly ComponentFindings[]>;

// A batch of up to this size mostly waits for answers, so its providers run concurrently. With a larger batch, this
// would take connections and cores from ingest.
const SMALL_BATCH = 8;

/** Calls every fact provider for a batch. If one fails, the others are still called. */
@Injectable()
export class FactCollector {
  private readonly logger = new Logger(FactCollector.name);
  private readonly shippedLookup = shippedLists();

  constructor(
    @Inject(FACT_PROVIDERS) private readonly steps: FactProviderSteps,
    private readonly lookups: ListLookups,
    private readonly sandbox: SandboxFactProvider,
    private readonly rulesets: RulesetRegistryService,
  ) {}

  /** Returns the evidence about each transaction, in order, for the rulesets that are live now. */
  async collect(batch: readonly DecryptedTransaction[]): Promise<TransactionEvidence[]> {
    this.sandbox.refusePoisoned(batch);
    return this.gather(batch, null, (provider, sheets, parties) => provider.find(batch, sheets, parties));
  }

  /**
   * Returns the evidence about transactions that are not stored; nothing is written and no outside service is called.
   * Collects the facts that `schema` declares, by default those of the live rulesets.
   */
  collectForDryRun(
    batch: readonly DecryptedTransaction[],
    schema: FeatureSchema | null = null,
  ): Promise<TransactionEvidence[]> {
    return this.gather(batch, schema, (provider, sheets, parties) =>
      provider.dryRun ? provider.dryRun(batch, sheets, parties) : provider.find(batch, sheets, parties),
    );
  }

  private async gather(
    batch: readonly DecryptedTransaction[],
    schema: FeatureSchema | null,
    look: FindFacts,
  ): Promise<TransactionEvidence[]> {
    if (batch.length === 0) return [];
    const lists = new Map<string, ListLookup>();
    for (const { organisationId } of batch) {
      if (!lists.has(organisationId)) lists.set(organisationId, this.createListLookup(organisationId));
    }
    // The rulesets are pinned once, so that a publication meanwhile does not split the batch between two versions.
    const pinned = await this.rulesets.readLiveRulesets(batch.map(({ organisationId }) => organisationId));
    const liveRulesets = batch.map(({ organisationId }) =>
      required(pinned.get(organisationId), 'the live rulesets'),
    );
    const sheets = batch.map(
      (transaction, i) =>
        new FactSheet(
          schema ?? liveRulesets[i]?.schemaFor(selectionKeyOf(transaction)) ?? featureSchema,
          lists.get(transaction.organisationId),
        ),
    );
    sheets.forEach((sheet, i) => {
      const clientAppId = batch[i]?.clientAppId ?? '';
      sheet.set('application.without', liveRulesets[i]?.withoutInputs(clientAppId) ?? []);
    });
    const parties = batch.map(() => NO_PARTIES);
    const found: (readonly ComponentFindings[])[] = [];
    const ask = (provider: FactProvider): Promise<readonly ComponentFindings[]> =>
      this.callProvider(provider, batch, () => look(provider, sheets, parties), sheets);
    for (const step of this.steps) {
      if (batch.length <= SMALL_BATCH) found.push(...(await Promise.all(step.map(ask))));
      else for (const provider of step) found.push(await ask(provider));
    }
    return batch.map((transaction, i) => {
      const [sheet, rulesets] = [sheets[i], liveRulesets[i]];
      if (!sheet || !rulesets) throw new Error('sheets and batch differ in length');
      const findings = found.map((ofProvider) => ofProvider[i] ?? {});
      const evidence = assembleEvidence(transaction, sheet, findings, parties[i] ?? NO_PARTIES);
      return { live: rulesets, ...evidence };
    });
  }

  /**
   * Returns a look-up in the organisation's lists, or in a shipped list if the organisation has no list with the name.
   */
  createListLookup(organisationId: string): ListLookup {
    const lookup = this.lookups.forOrganisation(organisationId);
    const { shippedLookup } = this;
    return {
      has: (list, value) => lookup.has(list, value) ?? shippedLookup.has(list, value),
      hasConfirmed: (list, value) => lookup.hasConfirmed(list, value) ?? shippedLookup.has(list, value),
    };
  }

  private async callProvider(
    provider: FactProvider,
    batch: readonly DecryptedTransaction[],
    look: () => Promise<readonly ComponentFindings[]>,
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    try {
      const providerFindings = await look();
      if (providerFindings.length !== batch.length) {
        throw new Error('a provider of facts forgot a transaction');
      }
      return providerFindings;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.logger.error(
        `the provider of ${provider.components.join(', ')} failed`,
        error instanceof Error ? error.stack : undefined,
      );
      for (const sheet of sheets) setFailed(sheet, provider);
      return batch.map(({ receivedAt }) => failedFindings(provider.components, receivedAt));
    }
  }
}

/** Sets all facts of a failed provider to ERROR: it may have set some of them already. */
function setFailed(sheet: FactSheet, { sources }: FactProvider): void {
  for (const feature of sheet.schema.features) {
    if (sources.includes(feature.source)) sheet.setUnknownAt(feature, PROVIDER_FAILED);
  }
}

const PROVIDER_FAILED = { state: 'ERROR', reason: 'PROVIDER_FAILED' } as const;

function failedFindings(components: readonly ComponentName[], receivedAt: Date): ComponentFindings {
  const finding: ComponentFinding = {
    state: 'ERROR',
    source: 'provider',
    asOf: receivedAt.toISOString(),
    reason: 'PROVIDER_FAILED',
  };
  return Object.fromEntries(components.map((name) => [name, finding]));
}
