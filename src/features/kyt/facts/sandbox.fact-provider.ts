import { Injectable } from '@nestjs/common';
import { allowsSandboxScenarios, Settings } from '../../../platform/config/index.js';
import { type FactSheet, type ComponentFinding, type ComponentFindings } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { FactProvider } from '../domain/facts/evidence.js';
import { scenarioIn } from '../domain/sandbox/scenarios.js';

const FAULTS = {
  STALE_LIST: {
    fact: { state: 'STALE', reason: 'LIST_STALE' },
    state: 'STALE_SOURCE',
    reason: 'LIST_STALE:sandbox',
  },
  PROVIDER_DOWN: {
    fact: { state: 'ERROR', reason: 'PROVIDER_FAILED' },
    state: 'ERROR',
    reason: 'PROVIDER_FAILED',
  },
} as const;

/** The error with which a scenario makes its evaluation fail. */
class SandboxPoisonError extends Error {
  override readonly name = 'SandboxPoison';
}

/** Replaces the findings of screening in the sandbox, as if the lists were stale or the provider had failed. */
@Injectable()
export class SandboxFactProvider implements FactProvider {
  readonly components = ['LISTS'] as const;
  readonly sources = ['LISTS'] as const;
  private readonly isOpen: boolean;

  constructor(settings: Settings) {
    this.isOpen = allowsSandboxScenarios(settings);
  }

  find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    return Promise.resolve(batch.map((transaction, i) => this.applyFault(transaction, sheets[i])));
  }

  /** Throws if the scenario of a transaction makes its first generation fail; a replay succeeds. */
  refusePoisoned(batch: readonly DecryptedTransaction[]): void {
    if (!this.isOpen) return;
    const isPoisoned = ({ submission, generation }: DecryptedTransaction): boolean =>
      generation === 1 && scenarioIn(submission.metadata)?.fault === 'POISON';
    if (batch.some(isPoisoned)) throw new SandboxPoisonError('the scenario fails');
  }

  private applyFault(
    { submission, receivedAt }: DecryptedTransaction,
    sheet: FactSheet | undefined,
  ): ComponentFindings {
    const fault = this.isOpen ? scenarioIn(submission.metadata)?.fault : undefined;
    if (!sheet || fault === undefined || fault === 'POISON') return {};
    const { fact, state, reason } = FAULTS[fault];
    for (const feature of sheet.schema.features) {
      if (feature.source === 'LISTS') sheet.setUnknownAt(feature, fact);
    }
    const LISTS: ComponentFinding = { state, reason, source: 'sandbox', asOf: receivedAt.toISOString() };
    return { LISTS };
  }
}
