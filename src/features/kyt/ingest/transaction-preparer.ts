import { Injectable } from '@nestjs/common';
import { CHAIN_START, composeEntry } from '../../audit/index.js';
import type { ClientPrincipal } from '../../../platform/http/index.js';
import { newUuid, sha256 } from '../../../platform/kernel/index.js';
import { BlindIndex, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import type { RequestContext } from '../../../platform/telemetry/index.js';
import { EventPublisher } from '../../webhooks/index.js';
import { fingerprintOf } from '../domain/submission/fingerprint.js';
import {
  computeGroupingKeys,
  submissionSubjectsOf,
  type GroupingKeys,
  type SubmissionSubjects,
} from '../domain/submission/grouping.js';
import { digestOfTransactionRow } from '../domain/submission/row-digest.js';
import { movesCash } from '../../../platform/kernel/reference/transaction-types.js';
import type { Submission } from '../domain/submission/submission.js';
import type { EvaluationLease } from '../domain/submission/prepared-transaction.js';
import type { CustomFieldValue } from '../domain/submission/prepared-transaction.js';
import { BodyEncryption } from './body-encryption.js';
import type { IngestSource, PreparedTransaction } from '../domain/submission/prepared-transaction.js';

/** A validated submission, with its body as it was sent. */
export interface Intake {
  readonly client: ClientPrincipal;
  readonly context: RequestContext;
  readonly receivedAt: Date;
  readonly source: IngestSource;
  readonly submission: Submission;
  readonly body: object;
}

/** An intake with its values of custom fields that are stored for windows. */
export interface AdmittedIntake extends Intake {
  readonly kept: readonly CustomFieldValue[];
}

/** An intake with its grouping keys, and the subjects whose keys encrypt it. */
export interface IntakeDraft extends AdmittedIntake {
  readonly keys: GroupingKeys;
  readonly subjects: SubmissionSubjects;
  readonly fingerprint: Buffer;
  /** Set if this process evaluates the submission immediately, without a job. */
  readonly lease?: EvaluationLease;
}

/** Prepares the rows of submissions. Hashing and encryption happen here, outside of the database transaction. */
@Injectable()
export class TransactionPreparer {
  constructor(
    private readonly index: BlindIndex,
    private readonly vault: Vault,
    private readonly bodyEncryption: BodyEncryption,
    private readonly events: EventPublisher,
  ) {}

  /** Prepares everything that needs no data key. */
  draft(intake: AdmittedIntake): IntakeDraft {
    const { organisationId } = intake.client;
    return {
      keys: computeGroupingKeys(this.index, organisationId, intake.submission),
      subjects: submissionSubjectsOf(this.index, organisationId, intake.submission, intake.receivedAt),
      fingerprint: fingerprintOf(intake.body),
      ...intake,
    };
  }

  /** Prepares many drafts with at most two look-ups of data keys. */
  async prepare(drafts: readonly IntakeDraft[]): Promise<PreparedTransaction[]> {
    await this.vault.prepare(drafts.flatMap(({ subjects }) => subjectList(subjects)));
    return drafts.map((draft) => this.seal(draft));
  }

  private seal(draft: IntakeDraft): PreparedTransaction {
    const { client, context, submission, receivedAt, subjects, fingerprint } = draft;
    const { organisationId } = client;
    const id = newUuid();
    const sealedBody = this.bodyEncryption.seal(draft.body, subjects, id, organisationId);
    return {
      id,
      organisationId,
      clientAppId: client.id,
      source: draft.source,
      submission,
      receivedAt,
      context,
      fingerprint,
      keys: draft.keys,
      kept: draft.kept,
      sealedBody,
      received: composeEntry(
        {
          subject: { organisationId, type: 'transaction', id },
          action: 'transaction.received',
          actor: { type: 'client', id: client.id },
          requestId: context.requestId,
          correlationId: context.correlationId,
          occurredAt: receivedAt,
          content: {
            transactionId: submission.transactionId,
            source: draft.source,
            fingerprint: fingerprint.toString('hex'),
            // The entry repeats the columns that rules and reports read, so that a change of them is detected.
            type: submission.type,
            amount: submission.amount,
            currency: submission.currency,
            occurredAt: submission.occurredAt.toISOString(),
            warnings: submission.warnings,
            row: digestOfTransactionRow({
              organisationId,
              clientAppId: client.id,
              channel: submission.channel,
              cash: movesCash(submission.type),
              direction: submission.direction.value,
              directionSource: submission.direction.source,
              receivedAt,
              documentKey: draft.keys.document,
              customerKey: draft.keys.customer,
              externalKey: draft.keys.external,
              accountKey: draft.keys.account,
              deviceKey: draft.keys.device,
              ipKey: draft.keys.ip,
              counterpartyKey: draft.keys.counterparty,
              cardKey: draft.keys.card,
              originCountry: submission.origin.country ?? '',
              destinationCountry: submission.destination.country ?? '',
              sealedBody: sha256(sealedBody),
              warnings: submission.warnings,
              requestId: context.requestId,
              correlationId: context.correlationId,
              traceparent: context.traceparent,
            }),
          },
        },
        CHAIN_START,
      ),
      queued: this.events.compose({
        organisationId,
        clientAppId: client.id,
        type: 'kyt.transaction.queued',
        resource: { type: 'transaction', id },
        sequence: CHAIN_START.seq,
        correlationId: context.correlationId,
        traceparent: context.traceparent,
        occurredAt: receivedAt,
        subject: subjects.main,
        data: {
          transactionId: submission.transactionId,
          status: 'QUEUED',
          externalCustomerId: submission.externalCustomerId,
          requestId: context.requestId,
          correlationId: context.correlationId,
          receivedAt: receivedAt.toISOString(),
        },
      }),
    };
  }
}

/** Returns the subjects whose keys encrypt a submission. */
export const subjectList = ({ main, origin, destination }: SubmissionSubjects): SubjectRef[] =>
  [main, origin, destination].filter((subject) => subject !== null);
