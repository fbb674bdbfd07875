import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { ApprovalInbox } from '../approval-reader.service.js';
import type { Approval, SubjectSummary, SummaryFact, SummaryHit } from '../approval-handlers.js';
import { actNames, type ApprovalAction, policyOf, subjectIdOf, subjectPathOf } from '../domain/acts.js';
import { approvalStatuses } from '../domain/approval.js';
import type { Control } from '../domain/control.js';

type FactValue = SummaryFact['before'];

const INBOXES = ['TO_APPROVE', 'MINE', 'DONE', 'ALL'] as const;
const ID = 'apr_01999e8e7c4a7a0e8a1b2c3d4e5f6071';
const DIGEST = '2f1c6f0b5c0c0f8b7d3c4f2f5f1b9a3e6d7c8b9a0f1e2d3c4b5a69788796a5b4';

export class ApprovalsQuery extends PageQuery {
  @Field.enum(
    INBOXES,
    'TO_APPROVE: of others, which the caller may approve. MINE: open ones of the caller. DONE: decided or expired.',
    { optional: true, default: 'TO_APPROVE' },
  )
  inbox: ApprovalInbox = 'TO_APPROVE';

  @Field.enum(actNames, 'The act that two people decide.', { optional: true }) act?: ApprovalAction;

  @Field.matching(/^[a-z]{3}_[0-9a-f]{32}$/, 'Only requests about this object: its id, with the prefix.', {
    optional: true,
    example: 'rev_019364d0c0de7000a000000000000001',
  })
  subject?: string;
}

export class ApproveBody {
  @Field.matching(/^[0-9a-f]{64}$/, 'The `digest` of the request that was read; another change is refused.', {
    example: DIGEST,
  })
  digest: string;

  @Field.flag(
    'Approves alone, only where nobody independent may approve. The request then says `singleControl`.',
    { optional: true },
  )
  singleControl?: boolean;
}

export class ApprovalReasonBody {
  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'The threshold was agreed to stay as it is.',
  })
  reason: string;
}

export class ApprovalHitView {
  @View.id('hit', 'The id of the hit.', { example: 'hit_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) id: string;
  @View.text('PENDING, CONFIRMED, DISMISSED_FALSE_POSITIVE or ESCALATED.', {
    example: 'DISMISSED_FALSE_POSITIVE',
  })
  status: string;

  static of(hit: SummaryHit): ApprovalHitView {
    return viewOf(ApprovalHitView, hit, {});
  }
}

export class SummaryPartyView {
  @View.textOrNull('The name as it is communicated.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('Six characters to know it by.', { example: '***.456.789-**' }) documentMasked:
    string | null;
  @View.text('The part in what is communicated.', { example: 'HOLDER' }) role: string;
}

export class SummaryEditView {
  @View.integer('Counts the edits from 1.', { example: 1 }) revision: number;
  @View.id('opr', 'Who edited it.', { example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) editedBy: string;
  @View.instant('When it was edited.') editedAt: string;
  @View.texts('The names of the fields.', { example: ['details'] }) fields: readonly string[];
  @View.text('The reason that was given.', { example: 'The second code was missing.' }) reason: string;
}

export class SummaryCommunicationView {
  @View.textOrNull('The first day.', { format: 'date', example: '2026-11-01' }) from: string | null;
  @View.textOrNull('The last day.', { format: 'date', example: '2026-11-20' }) to: string | null;
  @View.text('What came in, in reais.', { example: '270000.00' }) credit: string;
  @View.text('What went out, in reais.', { example: '0.00' }) debit: string;
  @View.of<readonly number[]>({ type: [Number] }, 'The codes of COAF.', { example: [1045] })
  codes: readonly number[];
  @View.text('The narrative.', { example: 'Twelve people paid into one account within an hour.' })
  details: string;
  @View.list(SummaryPartyView, 'The people whom it names.') parties: SummaryPartyView[];
  @View.list(SummaryEditView, 'What people changed in the draft, the oldest first.') edits: SummaryEditView[];
}

const ONE_VALUE = { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true };

export class SummaryFactView {
  @View.text('The name of the field.', { example: 'monthlyIncome' }) field: string;
  @View.of<FactValue>(ONE_VALUE, 'What counts now in the favour of the customer; null if nothing is known.', {
    example: 3_000,
  })
  before: FactValue;
  @View.of<FactValue>(
    ONE_VALUE,
    'What counts after the confirmation; null if it is taken out. E-mail and phone are masked in both.',
    { example: 4_800 },
  )
  after: FactValue;
  @View.flag('Whether both values are left out, because the reader may not see customers.', {
    example: false,
  })
  withheld: boolean;
  @View.idOrNull('opr', 'Who wrote it down; null when it came by a session, or nobody knows.') writtenBy:
    string | null;
  @View.instantOrNull('When it was written down; null when nobody knows.') writtenAt: string | null;
}

export class SummaryWordsView {
  @View.text('In Brazilian Portuguese.', { example: 'em vigor, 40 pontos' }) 'pt-BR': string;
  @View.text('In English.', { example: 'live, 40 points' }) en: string;
}

export class SummaryLineView {
  @View.object(SummaryWordsView, 'What changes.') what: SummaryWordsView;
  @View.objectOrNull(SummaryWordsView, 'As it is now; null for what is new.') before: SummaryWordsView | null;
  @View.objectOrNull(SummaryWordsView, 'As it becomes; null for what goes.') after: SummaryWordsView | null;
}

/** The object of a request in short. */
export class ApprovalSummaryView {
  @View.idOrNull('cus', 'The customer that it is about; null for none.') customerId: string | null;
  @View.textOrNull('In full with `customers:read`, else the first letters.', { example: 'Maria Exemplo' })
  customerName: string | null;
  @View.textOrNull('In reais; null when nobody knows.', { example: '53900.00' }) amount: string | null;
  @View.texts('The rules that raised the alerts.', { example: ['BR-FLOW-12'] }) rules: readonly string[];
  @View.integerOrNull('Transactions that the change is about.', { example: 13 }) transactions: number | null;
  @View.list(ApprovalHitView, 'The hits of the case and of the payments that it would release.')
  hits: readonly ApprovalHitView[];
  @View.textOrNull('What the requester wrote; null when it stands in `reason`, or the person was erased.', {
    example: 'Twelve people paid into an account that was emptied within the hour.',
  })
  justification: string | null;
  @View.objectOrNull(
    SummaryCommunicationView,
    'Of a communication to COAF what it says, with its edits; null else, and when the person was erased.',
  )
  communication: SummaryCommunicationView | null;
  @View.list(
    SummaryFactView,
    'Of a confirmation of facts the values, with `customers:read`. Empty for other acts, when the request is decided, ' +
      'and when the customer was changed, merged or erased after the request.',
  )
  facts: readonly SummaryFactView[];
  @View.list(
    SummaryLineView,
    'What changes, in words: rules with their conditions, what a back-test found, both names of a hit. Empty where the ' +
      'values of the request say it.',
  )
  lines: readonly SummaryLineView[];

  static of(summary: SubjectSummary): ApprovalSummaryView {
    const { hits, communication, facts, lines } = summary;
    return viewOf(ApprovalSummaryView, summary, {
      hits: hits.map((hit) => ApprovalHitView.of(hit)),
      communication:
        communication &&
        viewOf(SummaryCommunicationView, communication, {
          parties: communication.parties.map((party) => viewOf(SummaryPartyView, party, {})),
          edits: communication.edits.map((edit) => viewOf(SummaryEditView, edit, {})),
        }),
      facts: facts.map((fact) => viewOf(SummaryFactView, fact, {})),
      lines: lines.map((line) => viewOf(SummaryLineView, line, {})),
    });
  }
}

export class ApprovalView {
  @View.id('apr', 'The id of the approval request.', { example: ID }) id: string;
  @View.enum(actNames, 'The act that two people decide.') act: string;
  @View.text('What takes effect.', { example: 'A live rule is silent for a time.' }) effect: string;
  @View.text('The kind of object that changes.', { example: 'screening_list' }) subjectType: string;
  @View.of<string>({ type: String }, 'The id of that object.', {
    example: 'lst_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  subjectId: string;
  @View.textOrNull('The route that returns that object; null where there is none.', {
    example: '/operator/lists/lst_01999e8e7c4a7a0e8a1b2c3d4e5f6071',
  })
  link: string | null;
  @View.objectOrNull(
    ApprovalSummaryView,
    'The object in short, as far as the reader may see it; in the answers of this inbox only.',
    { optional: true },
  )
  summary?: ApprovalSummaryView | null;
  @View.json('The values that change, as they were when it was asked for.') before: unknown;
  @View.json('The values that take their place.') after: unknown;
  @View.text('SHA-256 over act, object and change.', { example: DIGEST }) digest: string;
  @View.text('The reason that was given.') reason: string;
  @View.enum(approvalStatuses, 'The status of the approval request.') status: string;
  @View.id('opr', 'Who asked for it.', { example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  requestedBy: string;
  @View.instant('When it was asked for.') requestedAt: string;
  @View.instant('After that it can no longer be approved.') expiresAt: string;
  @View.textOrNull('Who approved or refused it; null before.') decidedBy: string | null;
  @View.instantOrNull('When it was approved or refused; null before.') decidedAt: string | null;
  @View.textOrNull('Why it was refused, withdrawn or failed.') decisionReason: string | null;
  @View.instantOrNull('When the approved effect comes about.') effectiveAt: string | null;
  @View.instantOrNull('When it took effect.') appliedAt: string | null;
  @View.flag('Whether nobody independent was there to approve it.') singleControl: boolean;
  @View.text('How the effect is taken back.') undo: string;

  /** Omits `summary` if it is undefined: responses of the routes that create a request have no summary. */
  static of(approval: Approval, summary?: SubjectSummary | null): ApprovalView {
    const { act, subjectId } = approval;
    const { effect, subject, undo } = policyOf(act);
    return viewOf(ApprovalView, approval, {
      effect: effect.en,
      subjectType: subject,
      subjectId: subjectIdOf(act, subjectId),
      link: subjectPathOf(act, subjectId, approval.change.after),
      ...(summary !== undefined && { summary: summary && ApprovalSummaryView.of(summary) }),
      before: approval.change.before,
      after: approval.change.after,
      digest: approval.digest.toString('hex'),
      decidedBy: approval.decidedBy === null ? null : publicId('opr', approval.decidedBy),
      undo: undo.en,
    });
  }
}

export class DependentPersonView {
  @View.id('opr', 'Who does not count as the second person.', {
    example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6072',
  })
  id: string;

  @View.enums(actNames, 'In these acts: one of the two gave the other what lets them ask or approve.')
  acts: readonly string[];

  @View.instant('Until when at most.') until: string;
}

export class SingleControlPersonView {
  @View.id('opr', 'The person who asks.', { example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  id: string;

  @View.enums(actNames, 'Acts that nobody independent could approve if this person asked.')
  alone: readonly string[];

  @View.list(DependentPersonView, 'People who may approve and do not count as a second person.')
  notIndependent: DependentPersonView[];
}

export class ControlView {
  @View.enums(actNames, 'Acts for which there are no two independent people, whoever asks.')
  singleControl: readonly string[];

  @View.list(
    SingleControlPersonView,
    'Everybody who would decide alone in some act, or for whom somebody does not count. With an empty `singleControl` and ' +
      'an empty list here nobody decides alone.',
  )
  people: SingleControlPersonView[];

  @View.flag(
    'Whether the installation has declared that one person alone may close a case with an approval. Otherwise the case ' +
      'stays open, and its transactions on HOLD.',
    { example: false },
  )
  singleHanded: boolean;

  static of({ singleControl, people }: Control, singleHanded: boolean): ControlView {
    return viewOf(
      ControlView,
      { singleControl, singleHanded },
      {
        people: people.map((one) =>
          viewOf(SingleControlPersonView, one, {
            notIndependent: one.notIndependent.map((other) => viewOf(DependentPersonView, other, {})),
          }),
        ),
      },
    );
  }
}

/** Options of a route that asks for an approval. */
export const requestsApproval = {
  data: [ApprovalView, 'The request, which waits for somebody else.'],
  status: 202,
} as const;
