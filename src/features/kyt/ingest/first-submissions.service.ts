import { Injectable } from '@nestjs/common';
import { differingPaths } from '../domain/submission/fingerprint.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { SealedBodies } from './sealed-body.js';
import type { IntakeDraft } from './transaction-preparer.js';

/** Compares a conflicting submission with the first one under its id. */
@Injectable()
export class FirstSubmissionsService {
  constructor(
    private readonly transactions: IngestRepository,
    private readonly bodies: SealedBodies,
  ) {}

  /** Returns the paths at which a submission differs from the first one; none for erased or unreadable parts. */
  async differences({ client, body }: IntakeDraft, first: FirstSubmission): Promise<string[]> {
    const { organisationId } = client;
    const bytes = await this.transactions.sealedBody(organisationId, first.id);
    if (bytes === null) return [];
    const [opened] = await this.bodies.openMany([{ transactionRef: first.id, organisationId, bytes }]);
    if (opened?.kind !== 'open') return [];
    const erased: readonly string[] = opened.erased;
    return differingPaths(opened.body, body).filter((path) => !erased.includes(path.split('.', 1)[0] ?? ''));
  }
}
