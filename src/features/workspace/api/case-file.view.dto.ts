import { ApprovalView } from '../../approvals/index.js';
import { trailStatuses } from '../../audit/index.js';
import { CustomerDetailView, maskedName } from '../../customers/index.js';
import { View } from '../../../platform/http/index.js';
import { pick, publicId } from '../../../platform/kernel/index.js';
import { peopleRoles, type Participant } from '../../kyt/index.js';
import {
  ReviewEntryView,
  ReviewNoteView,
  ReviewPersonView,
  ReviewTransactionView,
  reviewStatuses,
  type ReviewRow,
} from '../../reviews/index.js';
import { EntryView, HitView } from '../../screening/index.js';
import { RelationsView } from '../../search/index.js';
import { SessionEvidenceView } from '../../sessions/index.js';
import { operatorIdIn } from '../cases/case-context.service.js';
import type { CaseFile, TransactionInCase } from '../cases/case-file.service.js';
import { AlertView, CaseRowView, LanguagesView, lookUpName } from './case-row.view.dto.js';

export class PersonBehindInCaseView {
  @View.enum(peopleRoles, 'What the party is in it.', { example: 'OWNER' })
  role: (typeof peopleRoles)[number];
  @View.text('In full with `customers:read`, else the first letters.', { example: 'Bruno Exemplo' })
  name: string;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
}

export class PartyInCaseView {
  @View.textOrNull('In full with `customers:read`, else the first letters.', { example: 'Maria Exemplo' })
  name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull('The account, as it was given.', { example: '0001/77' }) account: string | null;
  @View.textOrNull('The country, ISO 3166 alpha-2.', { example: 'BR' }) country: string | null;
  @View.list(PersonBehindInCaseView, 'Owners and representatives that the submission names.')
  people: PersonBehindInCaseView[];

  static of(party: Participant, inClear: boolean): PartyInCaseView {
    return {
      name: inClear ? party.name : maskedName(party.name),
      documentMasked: party.taxId?.maskedText ?? null,
      account: party.accountReference ?? party.walletReference,
      country: party.country,
      people: (party.people ?? []).map(({ role, name, taxId }) => ({
        role,
        name: inClear ? name : (maskedName(name) ?? ''),
        documentMasked: taxId?.maskedText ?? null,
      })),
    };
  }
}

export class ReasonInCaseView {
  @View.text('The key of the rule.', { example: 'BR-FLOW-12' }) rule: string;
  @View.integer('How many points it adds to the score.', { example: 45 }) points: number;
  @View.text('The group of rules, whose points together are capped.', { example: 'FLOW' }) group: string;
  @View.object(LanguagesView, 'The title of the reason, for people.') title: LanguagesView;
  @View.object(LanguagesView, 'The reason as a sentence.') sentence: LanguagesView;
  @View.textOrNull('The observed values.', { example: null }) observed: string | null;
  @View.text('What they were held against.') threshold: string;
  @View.jsons('The norms that it rests on.') legalBasis: readonly unknown[];
}

export class LookedAtView {
  @View.json('By component: state, source, asOf, points, reason.') components: unknown;
  @View.jsons('What the score is the sum of.') groups: readonly unknown[];
  @View.integer('How many points were taken off.', { example: 0 }) dampening: number;
  @View.text('Whether the score has all that it needs.', { example: 'COMPLETE' }) composition: string;
  @View.texts('Why the score cannot be defended; empty when it can.', { example: [] })
  nonDefensibleReasons: readonly string[];
  @View.jsons('Rules that could not tell, and what they lacked.') notEvaluated: readonly unknown[];
  @View.textOrNull('The ruleset and its version.', { example: 'br-starter@1' }) ruleset: string | null;
  @View.text('The hash of all that was read and decided.') receiptHash: string;
}

/** A transaction of a case, with its participants, its reasons, and the facts of its evaluation. */
export class TransactionInCaseView extends ReviewTransactionView {
  @View.text('The channel on which the transaction came in.', { example: 'MOBILE' }) channel: string;
  @View.enumOrNull(['IN', 'OUT'], 'Whether the money goes out or in.') direction: string | null;
  @View.enum(['OPEN', 'ERASED', 'BROKEN'], 'Whether the submission can still be read.') submission: string;
  @View.objectOrNull(PartyInCaseView, 'The participant who sends.') origin: PartyInCaseView | null;
  @View.objectOrNull(PartyInCaseView, 'The participant who receives.') destination: PartyInCaseView | null;
  @View.list(ReasonInCaseView, 'Of the evaluation that the case is about.')
  reasons: readonly ReasonInCaseView[];
  @View.objectOrNull(LookedAtView, 'What the evaluation asked, and what came of it.')
  lookedAt: LookedAtView | null;

  static ofWhole({ link, whole }: TransactionInCase, inClear: boolean): TransactionInCaseView {
    const { submission, evaluations } = whole;
    const evaluation = evaluations.find(({ version }) => version === link.linkedVersion) ?? null;
    return Object.assign(ReviewTransactionView.of(link), {
      channel: whole.channel,
      direction: whole.direction,
      submission: whole.submissionState,
      origin: submission && PartyInCaseView.of(submission.origin, inClear),
      destination: submission && PartyInCaseView.of(submission.destination, inClear),
      reasons: (evaluation?.reasons ?? []).map((reason) => ({
        ...{ rule: reason.ruleId, points: reason.points, group: reason.group },
        ...{ title: reason.name, sentence: reason.message, observed: reason.observed },
        ...{ threshold: reason.threshold, legalBasis: reason.legalBasis },
      })),
      lookedAt: evaluation && {
        ...pick(evaluation, 'components', 'groups', 'dampening', 'composition', 'nonDefensibleReasons'),
        ...pick(evaluation, 'notEvaluated', 'ruleset', 'receiptHash'),
      },
    });
  }
}

export class HitInCaseView {
  @View.object(HitView, 'With the alignment of the two names and what was decided.') hit: HitView;
  @View.objectOrNull(EntryView, 'What the list says.') entry: EntryView | null;
  @View.textOrNull('Who decided.') decidedByName: string | null;
}

export class EarlierCaseView {
  @View.id('rev', 'The id of the case.') id: string;
  @View.text('What the case is about.', { example: 'STRUCTURING' }) theme: string;
  @View.enum(reviewStatuses, 'The status of the case.', { example: 'CLOSED' }) status: string;
  @View.objectOrNull(LanguagesView, 'The title of the case, for people.') title: LanguagesView | null;
  @View.textOrNull('What the case ends with.', { example: 'FALSE_POSITIVE' }) resolution: string | null;
  @View.textOrNull('Whether it is communicated to COAF; null before it is decided.', { example: 'ARCHIVE' })
  reportDecision: string | null;
  @View.integer('How many points it adds to the score.', { example: 74 }) points: number;
  @View.instant('When it was opened.') openedAt: string;
  @View.instantOrNull('When it was closed; null while it is open.') closedAt: string | null;

  static of(row: ReviewRow): EarlierCaseView {
    return {
      id: publicId('rev', row.id),
      ...{ theme: row.theme, status: row.status, title: row.lead?.title ?? null, points: row.points },
      ...{ resolution: row.resolution, reportDecision: row.report },
      openedAt: row.openedAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
    };
  }
}

export class NamedNoteView extends ReviewNoteView {
  @View.textOrNull('The name of who wrote it.', { example: 'Marina Alves' }) authorName: string | null;
}

export class NamedEntryView extends ReviewEntryView {
  @View.textOrNull('Null for the system.', { example: 'Marina Alves' }) actorName: string | null;
}

export class NamedApprovalView extends ApprovalView {
  @View.textOrNull('The name of who asked for it.', { example: 'Marina Alves' }) requestedByName:
    string | null;
  @View.textOrNull('The name of who decided it.', { example: null }) decidedByName: string | null;
}

export class RunningClockView {
  @View.enum(['SELECTION', 'ANALYSIS', 'RESPONSE', 'REPORT'], 'The name of the time limit.') name: string;
  @View.instant('When it happened.') at: string;
  @View.integer('Negative when it has run out.') secondsLeft: number;
}

export class PersonInCaseView extends ReviewPersonView {
  @View.textOrNull('In full with `customers:read`, else the first letters; null when erased.', {
    example: 'Maria Exemplo',
  })
  name: string | null;
}

/** A whole case in one response. */
export class CaseFileView {
  @View.object(CaseRowView, 'The case itself.') case: CaseRowView;
  @View.textOrNull('Why it is to end so.') justification: string | null;
  @View.objectOrNull(CustomerDetailView, 'Null without `customers:read`, or when nobody is known.')
  customer: CustomerDetailView | null;
  @View.list(RunningClockView, 'The time limits.') clocks: readonly RunningClockView[];
  @View.list(AlertView, 'The gravest first; up to 500.') alerts: readonly AlertView[];
  @View.list(TransactionInCaseView, 'Up to 100; empty without `kyt:read`.')
  transactions: readonly TransactionInCaseView[];
  @View.list(HitInCaseView, 'Empty without `screening:read`.') hits: readonly HitInCaseView[];
  @View.list(SessionEvidenceView, 'Up to three, answers masked; empty without `sessions:read`.')
  sessions: readonly SessionEvidenceView[];
  @View.list(PersonInCaseView, 'People who were added to what it tells.') people: readonly PersonInCaseView[];

  @View.objectOrNull(
    RelationsView,
    'Who shares things or payments with the customer, up to two steps far. Null without `customers:read`, or without a customer.',
  )
  related: RelationsView | null;

  @View.texts('The cases that were merged into it.', { example: [] }) merged: readonly string[];
  @View.list(EarlierCaseView, 'Others of the same customer, the newest first; up to 20.')
  earlierCases: readonly EarlierCaseView[];
  @View.list(NamedNoteView, 'The notes.') notes: readonly NamedNoteView[];
  @View.list(NamedEntryView, 'What happened, in its order.') timeline: readonly NamedEntryView[];
  @View.enum(trailStatuses, 'Whether the trail is whole.', { example: 'COMPLETE' }) trailStatus: string;
  @View.list(NamedApprovalView, 'Requests about the case and its hits, the newest first.')
  approvals: readonly NamedApprovalView[];

  static of(whole: CaseFile, now: Date): CaseFileView {
    const { row, file, customer, names } = whole;
    return {
      case: CaseRowView.ofRow(row, now),
      justification: file.justification,
      customer: customer && CustomerDetailView.ofDetail(customer),
      clocks: clocksIn(file.review, now),
      alerts: whole.alerts.map((one) => AlertView.of(one)),
      transactions: whole.transactions.map((one) => TransactionInCaseView.ofWhole(one, row.inClear)),
      hits: whole.hits.map(({ hit, entry }, i) => ({
        ...{ hit, entry },
        decidedByName: lookUpName(names, operatorIdIn(file.hits[i]?.decidedBy ?? '')[0] ?? null),
      })),
      sessions: whole.sessions.map((one) => SessionEvidenceView.of(one)),
      people: file.people.map((one) => {
        const name = whole.people.get(one.customerId)?.profile?.name ?? null;
        return Object.assign(ReviewPersonView.of(one), { name: row.inClear ? name : maskedName(name) });
      }),
      related: whole.related && RelationsView.of(whole.related),
      merged: file.merged.map((one) => publicId('rev', one)),
      earlierCases: whole.earlier.map((one) => EarlierCaseView.of(one)),
      notes: file.notes.map((note) =>
        Object.assign(ReviewNoteView.of(note), { authorName: lookUpName(names, note.authorId) }),
      ),
      timeline: whole.entries.map((entry) =>
        Object.assign(ReviewEntryView.of(entry), {
          actorName: lookUpName(names, operatorIdIn(entry.actor)[0] ?? null),
        }),
      ),
      trailStatus: whole.verdict.status,
      approvals: whole.approvals.map((one) =>
        Object.assign(ApprovalView.of(one), {
          requestedByName: lookUpName(names, one.requestedBy),
          decidedByName: lookUpName(names, one.decidedBy),
        }),
      ),
    };
  }
}

function clocksIn(review: ReviewRow, now: Date): RunningClockView[] {
  const { selectionDeadline, analysisDeadline, responseDeadline, reportDeadline } = review;
  const clocks = {
    SELECTION: selectionDeadline,
    ANALYSIS: analysisDeadline,
    RESPONSE: responseDeadline,
    REPORT: reportDeadline,
  };
  return Object.entries(clocks).flatMap(([name, at]) =>
    at === null
      ? []
      : [
          {
            name,
            at: at.toISOString(),
            secondsLeft: Math.floor((at.getTime() - now.getTime()) / 1_000),
          },
        ],
  );
}
