import { Injectable } from '@nestjs/common';
import { compileValidator } from '../../../platform/http/index.js';
import { Clock, DomainError, invalid } from '../../../platform/kernel/index.js';
import { IngestTransactionBody } from '../contract/ingest-transaction.dto.js';
import type { LegacyTransactionBody } from '../contract/legacy-transaction.dto.js';
import { SandboxScenariosService } from './sandbox/sandbox-scenarios.service.js';
import { legacyToSubmission, toSubmission } from '../domain/submission/submission.js';
import type { Intake } from './transaction-preparer.js';

type Caller = Pick<Intake, 'client' | 'context'>;

const validateIngest = compileValidator(IngestTransactionBody);

/** Validates bodies and maps them to intakes. */
@Injectable()
export class IntakeReaderService {
  constructor(
    private readonly clock: Clock,
    private readonly scenarios: SandboxScenariosService,
  ) {}

  /** Maps a validated ingest body. */
  readSubmission(caller: Caller, sent: IngestTransactionBody): Intake {
    const receivedAt = new Date(this.clock.now());
    const body = this.scenarios.applyScenario(caller.client, sent, receivedAt.getTime());
    return {
      receivedAt,
      source: 'INGEST',
      submission: toSubmission(body, receivedAt.getTime()),
      body,
      ...caller,
    };
  }

  /** Validates and maps one item of a batch. Throws the same error as for a single submission. */
  readBatchItem(caller: Caller, value: unknown): Intake {
    const violations = validateIngest(value, { now: () => this.clock.now() });
    if (violations.length > 0) throw new DomainError('VALIDATION_FAILED', { details: violations });
    return this.readSubmission(caller, value as IngestTransactionBody);
  }

  /** Maps a validated legacy body; its id may be in the Idempotency-Key. */
  readLegacySubmission(caller: Caller, body: LegacyTransactionBody, idempotencyKey: string | null): Intake {
    if ((body.metadata?.['sandboxScenario'] ?? null) !== null) throw scenarioNotAllowed();
    const receivedAt = new Date(this.clock.now());
    return {
      receivedAt,
      source: 'LEGACY',
      submission: legacyToSubmission(body, { receivedAt, idempotencyKey }),
      body,
      ...caller,
    };
  }
}

const scenarioNotAllowed = (): DomainError =>
  invalid(
    'metadata.sandboxScenario',
    'VALUE_NOT_ALLOWED',
    'Send scenarios to POST /kyt/transactions/ingest.',
  );
