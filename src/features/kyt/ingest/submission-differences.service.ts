import { Injectable } from '@nestjs/common';
import { differingPaths } from '../domain/submission/fingerprint.js';
import { IngestRepository, type FirstSubmission } from '../store/ingest.repository.js';
import { BodyEncryption } from './body-encryption.js';
import type { IntakeDraft } from './transaction-preparer.js';

/** Compares a conflicting submission with the original submission of its id. */
@Injectable()
export class SubmissionDifferencesService {
  constructor(
    private readonly ingest: IngestRepository,
    private readonly bodyEncryption: BodyEncryption,
  ) {}

  /** Returns the paths at which a submission differs from the original. Erased or unreadable parts are not compared. */
  async findDifferences({ client, body }: IntakeDraft, first: FirstSubmission): Promise<string[]> {
    const { organisationId } = client;
    const bytes = await this.ingest.readSealedBody(organisationId, first.id);
    if (bytes === null) return [];
    const [opened] = await this.bodyEncryption.openMany([
      { transactionRef: first.id, organisationId, bytes },
    ]);
    if (opened?.kind !== 'open') return [];
    const erased: readonly string[] = opened.erased;
    return differingPaths(opened.body, body).filter((path) => !erased.includes(path.split('.', 1)[0] ?? ''));
  }
}
