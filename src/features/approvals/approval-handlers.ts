import type { ActorContext, SubjectType } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { registration } from '../../platform/registry/index.js';
import type { ApprovalAction } from './domain/acts.js';
import type { ChangedValues } from './domain/approval.js';
import type { ApprovalEntity } from './store/entities.js';

/** A request for approval with its reasons decrypted. */
export type Approval = Readonly<ApprovalEntity> & {
  readonly reason: string;
  readonly decisionReason: string | null;
};

/** Why a request ended without its effect. */
export type ApprovalEnding = 'REFUSED' | 'WITHDRAWN' | 'EXPIRED' | 'FAILED';

/**
 * Decorates a method that locks the object of a request and returns the current values of the fields to change.
 * Approving throws STATE_CONFLICT when they differ from the request's `before`.
 */
export const CurrentValues = registration<
  (tx: Tx, approval: Approval) => Promise<ChangedValues>,
  ApprovalAction
>('current values of an act');

/**
 * Decorates a method that may refuse an approval before the transaction begins, by checks that take no lock, such as of
 * audit trails.
 */
export const CheckAct = registration<(approval: Approval) => Promise<void>, ApprovalAction>(
  'check of an act',
);

/** Decorates a method that makes the approved change, in the commit that sets the request to APPLIED. */
export const ApplyAct = registration<
  (tx: Tx, ctx: ActorContext, approval: Approval) => Promise<void>,
  ApprovalAction
>('apply an act');

/** Decorates a method that releases the object when a request ends without effect. */
export const ReleaseAct = registration<
  (tx: Tx, ctx: ActorContext, approval: Approval, why: ApprovalEnding, reason: string) => Promise<void>,
  ApprovalAction
>('release after an act that did not happen');

/** A hit, with whether and how two people have decided it. */
export interface SummaryHit {
  readonly id: string;
  readonly status: string;
}

/** The content of a communication to COAF, for who approves its filing. Days are `YYYY-MM-DD`, amounts in reais. */
export interface SummaryCommunication {
  readonly from: string | null;
  readonly to: string | null;
  readonly credit: string;
  readonly debit: string;
  readonly codes: readonly number[];
  readonly details: string;
  readonly parties: readonly {
    readonly name: string | null;
    readonly documentMasked: string | null;
    readonly role: string;
  }[];
  /** The oldest first, with the fields that each changed. */
  readonly edits: readonly {
    readonly revision: number;
    readonly editedBy: string;
    readonly editedAt: Date;
    readonly fields: readonly string[];
    readonly reason: string;
  }[];
}

/** A value about a customer that waits for a second person. Days are `YYYY-MM-DD`, amounts in reais. */
export interface SummaryFact {
  readonly field: string;
  /** The value that counts without the word of the operator; null if none is known, and if it is withheld. */
  readonly before: string | number | boolean | null;
  /** The value that counts after the confirmation; null if the operator took it out, and if it is withheld. */
  readonly after: string | number | boolean | null;
  /** True if the reader may not see customers. */
  readonly withheld: boolean;
  /** The operator who wrote the value; null if the value came by a session, or if the operator is not known. */
  readonly writtenBy: string | null;
  readonly writtenAt: Date | null;
}

/** A text in both languages of the console. */
export type SummaryWords = Readonly<Record<'pt-BR' | 'en', string>>;

/** One thing that changes, in words. `before` is null for what is new, `after` for what goes. */
export interface SummaryLine {
  readonly what: SummaryWords;
  readonly before: SummaryWords | null;
  readonly after: SummaryWords | null;
}

/** Makes a line of a summary. A name or a figure is the same in both languages. */
export function summaryLine(
  what: SummaryWords,
  before: string | SummaryWords | null,
  after: string | SummaryWords | null,
): SummaryLine {
  const inBoth = (text: string | SummaryWords | null): SummaryWords | null =>
    typeof text === 'string' ? { 'pt-BR': text, en: text } : text;
  return { what, before: inBoth(before), after: inBoth(after) };
}

/** Summary of the object of a request, for its approvers. Fields that the reader may not see are null or empty. */
export interface SubjectSummary {
  readonly customerId: string | null;
  /** Masked if the reader may not see customers. */
  readonly customerName: string | null;
  /** In reais, as an exact decimal. */
  readonly amount: string | null;
  /** The ids of the rules that raised the alerts. */
  readonly rules: readonly string[];
  /** The number of transactions that the change is about. */
  readonly transactions: number | null;
  /** The hits that the change is about, with their status. */
  readonly hits: readonly SummaryHit[];
  /** The requester's text, if it is stored with the object and not as the reason of the request. */
  readonly justification: string | null;
  /** The content of a filing with COAF; null for other acts, and if the person was erased. */
  readonly communication: SummaryCommunication | null;
  /** The values that a confirmation is about, by field; empty for other acts, and when the request no longer fits. */
  readonly facts: readonly SummaryFact[];
  /** Says in words what changes, where the values of the request are only keys and ids. */
  readonly lines: readonly SummaryLine[];
}

/** Decorates a method that summarizes the objects of requests, by request id; omits objects hidden from the operator. */
export const SummarizeSubjects = registration<
  (
    operator: OperatorPrincipal,
    approvals: readonly Approval[],
  ) => Promise<ReadonlyMap<string, Partial<SubjectSummary>>>,
  SubjectType
>('summaries of the objects of requests');
