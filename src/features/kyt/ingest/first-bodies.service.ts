import { Injectable } from '@nestjs/common';
import { differingPaths } from '../domain/submission/fingerprint.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { SealedBodies } from './sealed-body.js';
import type { Draft } from './transaction-preparer.js';

/** Reads what was first submitted under an id, to say what a conflict is about. */
@Injectable()
export class FirstBodies {
  constructor(
    private readonly transactions: IngestRepository,
    private readonly bodies: SealedBodies,
  ) {}

  /** The paths at which a submission differs from the first one; none of what was erased, or cannot be opened. */
  async differences({ client, body }: Draft, first: FirstSubmission): Promise<string[]> {
    const { organisationId } = client;
    const bytes = await this.transactions.sealedBody(organisationId, first.id);
    if (bytes === null) return [];
    const [opened] = await this.bodies.openMany([{ transactionRef: first.id, organisationId, bytes }]);
    if (opened?.kind !== 'open') return [];
    const erased: readonly string[] = opened.erased;
    return differingPaths(opened.body, body).filter((path) => !erased.includes(path.split('.', 1)[0] ?? ''));
  }
}
