import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { pick, publicId, toPublicActor } from '../../../platform/kernel/index.js';
import { NotEvaluatedView } from './transaction.view.dto.js';
import { trailStatuses, type TrailEntry, type TrailVerdict } from '../../audit/index.js';
import { maskedName } from '../../customers/index.js';
import type {
  PartyNames,
  TransactionFile,
  TransactionWithParties,
} from '../operations/transaction-query.service.js';
import type { ReceiptSummary } from '../domain/decided-data.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { verdictOf, verdicts } from '../domain/verdict.js';
import {
  MAX_COUNTED,
  type ListedTransaction,
  type PipelineActivity,
  type StoredEvaluation,
} from '../store/reading/operator-transaction.queries.js';

export const CODE = { max: 64, pattern: /^[A-Z][A-Z0-9_]*$/, form: 'a code in capital letters' };
export class TransactionListQuery extends PageQuery {
  @Field.enum(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], 'Only those with this status.', {
    optional: true,
  })
  status?: string;
  @Field.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'Only those with this outcome.', {
    optional: true,
  })
  outcome?: string;
  @Field.text('Only those of this type.', { ...CODE, optional: true, example: 'PIX_TRANSFER' }) type?: string;

  @Field.id('app', 'Only those of this client application.', {
    form: 'the id of an application',
    optional: true,
    example: 'app_019364d0c0de7000a000000000000001',
  })
  clientApp?: string;

  @Field.text("The integrator's own id.", { max: 128, optional: true, example: 'pix-1001' })
  transactionId?: string;

  @Field.text('Only those of the customer with this id in your own system.', {
    max: 256,
    optional: true,
    example: 'customer-4711',
  })
  externalCustomerId?: string;

  @Field.id('cus', 'Only those of this customer, by whichever of its ids or documents they name it.', {
    form: 'the id of a customer',
    optional: true,
    example: 'cus_019364d0c0de7000a000000000000001',
  })
  customerId?: string;

  @Field.integer('From this score.', { min: 0, max: 100, url: true, optional: true }) minScore?: number;
  @Field.flag('Only those whose score can, or cannot, be defended.', { url: true, optional: true })
  defensible?: boolean;
  @Field.date('Received at this instant or later.', { optional: true }) receivedFrom?: string;
  @Field.date('Received before this instant.', { optional: true }) receivedTo?: string;
}

export class FailureView {
  @View.text('A stable code; a program may rely on it.', { example: 'SEALED_BODY_BROKEN' }) code: string;
  @View.text('The step at which it stopped.', { example: 'OPEN' }) stage: string;
  @View.integer('How many attempts there were.', { example: 5 }) attempts: number;
}

export class DeskTransactionView {
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.id('app', 'The client application.') clientApp: string;
  @View.text('Your id of the transaction.', { example: 'pix-1001' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('The channel on which the transaction came in.', { example: 'MOBILE_APP' }) channel: string;
  @View.text('Exact decimal.', { example: '1250.75' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.enumOrNull(['IN', 'OUT'], 'Whether the money goes out or in.', { example: 'OUT' }) direction:
    string | null;
  @View.instant('When it took place.') occurredAt: string;
  @View.instant('When it was received.') receivedAt: string;
  @View.enum(['QUEUED', 'PROCESSING', 'COMPLETED', 'DEAD_LETTERED'], 'The status of the transaction.', {
    example: 'COMPLETED',
  })
  status: string;
  @View.enumOrNull(verdicts, 'What the application was told to do.') verdict: string | null;
  @View.enumOrNull(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.') outcome: string | null;
  @View.enumOrNull(['NONE', 'STEP_UP', 'HOLD', 'DECLINE'], 'What the rules advise to do.') recommendedAction:
    string | null;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.', { minimum: 0, maximum: 100 })
  riskScore: number | null;
  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], 'The band of the score.') riskLevel: string | null;
  @View.enumOrNull(
    ['COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT'],
    'Whether the score has all that it needs.',
  )
  composition: string | null;
  @View.flagOrNull('Whether the score can be defended.') defensible: boolean | null;
  @View.integerOrNull('Counts the evaluations of the transaction from 1.') evaluationVersion: number | null;
  @View.instantOrNull('When it was evaluated.') evaluatedAt: string | null;
  @View.objectOrNull(FailureView, 'Only when dead-lettered.') failure: FailureView | null;

  static of(row: ListedTransaction): DeskTransactionView {
    return viewOf(DeskTransactionView, row, {
      clientApp: publicId('app', row.clientAppId),
      verdict: row.outcome && row.recommendedAction && verdictOf(row.outcome, row.recommendedAction),
      failure:
        row.status === 'DEAD_LETTERED'
          ? {
              code: row.failureCode ?? 'UNKNOWN',
              stage: row.failureStage ?? 'UNKNOWN',
              attempts: row.attempts ?? 0,
            }
          : null,
    });
  }
}

export class PipelineHourView {
  @View.instant('When the hour begins.') hour: string;
  @View.integer('Transactions that were received.', { example: 1_204 }) received: number;
  @View.integer('Those that asked for a session.', { example: 31 }) challenged: number;
  @View.integer('Those that went to a person.', { example: 12 }) review: number;
}

export class PipelineView {
  @View.list(PipelineHourView, 'The last 24, the oldest first; the last one is not over.')
  hours: readonly PipelineHourView[];

  @View.integer('Transactions without an evaluation, but for dead letters.', { example: 3 }) waiting: number;
  @View.instantOrNull('Since when the oldest of them waits.') oldestQueuedAt: string | null;
  @View.integer('A count that stands here means this many or more.', { example: MAX_COUNTED }) most: number;

  static of({ hours, waiting, oldestQueuedAt }: PipelineActivity): PipelineView {
    return {
      hours: hours.map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })),
      ...{ waiting, oldestQueuedAt: oldestQueuedAt?.toISOString() ?? null, most: MAX_COUNTED },
    };
  }
}

export class EvaluationSummaryView {
  @View.integer('Counts the evaluations of the transaction, from 1.', { example: 1 }) version: number;
  @View.enum(['APPROVED', 'CHALLENGED', 'REVIEW', 'REJECTED'], 'The outcome.') outcome: string;
  @View.integerOrNull('The score, from 0 to 100; null where there is none.') riskScore: number | null;
  @View.textOrNull('The ruleset and its version.', { example: 'br-starter@1' }) ruleset: string | null;
  @View.textOrNull('SHA-256 of the ruleset as it was published.') rulesetHash: string | null;
  @View.instant('When it was evaluated.') evaluatedAt: string;
  @View.text('SHA-256 of the decision receipt.') receiptHash: string;
  @View.texts('Why the score cannot be defended; empty when it can.') nonDefensibleReasons: readonly string[];
  @View.list(NotEvaluatedView, 'Live rules that could not tell, and what they lacked.')
  notEvaluated: readonly NotEvaluatedView[];
  @View.texts('What was not looked at, as the application has said not to send it.', { example: [] })
  withoutInputs: readonly string[];
  @View.json('The parts of which a score is made.') components: Readonly<Record<string, unknown>>;
  @View.jsons('The rules that hit, each with what it saw.') reasons: readonly unknown[];

  static of(row: StoredEvaluation): EvaluationSummaryView {
    const receipt = JSON.parse(receiptText(row.receipt)) as ReceiptSummary;
    return {
      version: row.evaluationVersion,
      outcome: row.outcome,
      riskScore: row.riskScore,
      ruleset: receipt.ruleset ? `${receipt.ruleset.key}@${receipt.ruleset.version}` : null,
      rulesetHash: receipt.ruleset?.contentHash ?? null,
      evaluatedAt: row.evaluatedAt.toISOString(),
      receiptHash: row.receiptHash.toString('hex'),
      ...pick(receipt, 'nonDefensibleReasons', 'notEvaluated', 'components', 'reasons'),
      withoutInputs: receipt.withoutInputs ?? [],
    };
  }
}

/** Names of parties as a reader may see them. */
export function shownParties({ originName, destinationName }: PartyNames, inClear: boolean): PartyNames {
  const nameOrMask = (name: string | null): string | null => (inClear ? name : maskedName(name));
  return { originName: nameOrMask(originName), destinationName: nameOrMask(destinationName) };
}

/** A transaction of a list, with whom it is from and to. */
export class ListedTransactionView extends DeskTransactionView {
  @View.textOrNull('Who sends: in full with `customers:read`, else the first letters.', { example: 'Maria' })
  originName: string | null;
  @View.textOrNull('Who receives: in full with `customers:read`, else the first letters.', {
    example: 'Padaria Exemplo',
  })
  destinationName: string | null;

  static ofRow(row: TransactionWithParties, inClear: boolean): ListedTransactionView {
    return Object.assign(
      new ListedTransactionView(),
      DeskTransactionView.of(row),
      shownParties(row, inClear),
    );
  }
}

export class TransactionFileView extends DeskTransactionView {
  @View.enum(['INGEST', 'LEGACY'], 'The route on which the transaction was submitted.') source: string;
  @View.enum(['METADATA', 'DOCUMENTS', 'TYPE_DEFAULT', 'UNKNOWN'], 'How the direction was found out.', {
    example: 'METADATA',
  })
  directionSource: string;
  @View.texts('What is unusual and was accepted nevertheless.') warnings: readonly string[];
  @View.text('The id of the request, as in `X-Request-Id`.') requestId: string;
  @View.text('Ties together what belongs together; yours, if you sent one.') correlationId: string;

  @View.enum(['OPEN', 'ERASED', 'BROKEN'], 'ERASED: the data key of its person is destroyed.')
  submissionState: string;

  @View.jsonOrNull('As it was submitted, with every document masked.', {
    example: { cpfCnpj: '***.982.247-**', amount: 1250.75, origin: { accountReference: '0001/12345-6' } },
  })
  submission: unknown;

  @View.list(EvaluationSummaryView, 'The newest first.') evaluations: EvaluationSummaryView[];

  static ofFile({
    transaction,
    evaluations,
    submission,
    submissionState,
  }: TransactionFile): TransactionFileView {
    return {
      ...(DeskTransactionView.of(transaction) as Pick<DeskTransactionView, keyof DeskTransactionView>),
      source: transaction.source,
      directionSource: transaction.directionSource,
      warnings: transaction.warnings ?? [],
      requestId: transaction.requestId,
      correlationId: transaction.correlationId,
      submissionState,
      submission,
      evaluations: evaluations.map((row) => EvaluationSummaryView.of(row)),
    };
  }
}

export class TimelineEntryView {
  @View.integer('Counts the entries of a subject from 1.', { example: 2 }) seq: number;
  @View.text('What was done.', { example: 'transaction.evaluated' }) action: string;
  @View.text('Who did it.', { example: 'system:kyt.pipeline' }) actor: string;
  @View.instant('When it took place.') occurredAt: string;
  @View.textOrNull('The id of the request, as in `X-Request-Id`.') requestId: string | null;
  @View.textOrNull('Ties together what belongs together; yours, if you sent one.')
  correlationId: string | null;
  @View.json('What the entry says.', { example: { outcome: 'REVIEW', score: 60 } }) content: unknown;
  @View.text('Leaf hash of the entry.') hash: string;
}

export class TimelineView {
  @View.enum(trailStatuses, 'The verdict on the whole trail.', { example: 'COMPLETE' }) trail: string;

  @View.list(TimelineEntryView, 'The entries.') entries: TimelineEntryView[];

  static of(entries: readonly TrailEntry[], verdict: TrailVerdict): TimelineView {
    return {
      trail: verdict.status,
      entries: entries.map((entry) => ({
        seq: entry.seq,
        action: entry.action,
        actor: toPublicActor(entry.actor),
        ...pick(entry, 'occurredAt', 'requestId', 'correlationId', 'content'),
        hash: entry.hash.toString('hex'),
      })),
    };
  }
}

export class ReceiptQuery {
  @Field.ordinal('Of which evaluation; the newest unless given.', { url: true, optional: true })
  version?: number;
}

export class DecisionReceiptView {
  @View.integer('Counts the evaluations of the transaction from 1.', { example: 1 })
  evaluationVersion: number;
  @View.text('SHA-256 of the canonical JSON of `receipt`.') receiptHash: string;
  @View.json('What was read and what was decided.') receipt: unknown;

  static of(row: StoredEvaluation): DecisionReceiptView {
    return {
      evaluationVersion: row.evaluationVersion,
      receiptHash: row.receiptHash.toString('hex'),
      receipt: JSON.parse(receiptText(row.receipt)) as unknown,
    };
  }
}
