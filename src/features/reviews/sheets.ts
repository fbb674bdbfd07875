import { guardInserts, guardRows, sheet } from '../../platform/sheets/index.js';
import type { ReviewStatus } from './domain/review.js';

/** Actions on an open case that do not change its status. */
const sideActions = [
  'review.assigned',
  'review.noted',
  'review.extended',
  'review.absorbed',
  'review.separated',
] as const;
const workingActions = [...sideActions, 'review.info_requested', 'review.decided', 'review.merged'] as const;
const afterClosing = ['review.noted', 'review.reported', 'review.reopened'] as const;
/** Actions that may follow one of `sideActions`, in any status of the case. */
const laterActions = [
  ...workingActions,
  'review.begun',
  'review.info_received',
  'review.returned',
  'review.closed',
  'review.restored',
] as const;
const ends = {
  OPEN: ['review.opened', 'review.restored', ...sideActions],
  IN_ANALYSIS: ['review.begun', 'review.restored', 'review.info_received', 'review.returned', ...sideActions],
  AWAITING_INFO: ['review.info_requested', ...sideActions],
  PENDING_APPROVAL: ['review.decided', ...sideActions],
  CLOSED: ['review.closed', ...afterClosing],
  MERGED: ['review.merged', 'review.noted'],
} as const satisfies Record<ReviewStatus, readonly string[]>;

/** A case. */
const review = sheet({
  type: 'review',
  id: 'rev',
  isPrunable: true,
  actions: ['review.opened', ...laterActions, 'review.reported', 'review.reopened'],
  order: {
    first: ['review.opened'],
    follows: {
      'review.opened': [...sideActions, 'review.begun', 'review.merged'],
      'review.assigned': laterActions,
      'review.extended': laterActions,
      'review.absorbed': laterActions,
      'review.separated': laterActions,
      'review.noted': [...laterActions, ...afterClosing],
      'review.begun': workingActions,
      'review.info_requested': [...sideActions, 'review.info_received', 'review.merged'],
      'review.info_received': workingActions,
      'review.decided': [...sideActions, 'review.returned', 'review.closed'],
      'review.returned': workingActions,
      'review.merged': ['review.noted', 'review.restored'],
      'review.restored': [...workingActions, 'review.begun'],
      'review.closed': afterClosing,
      'review.reported': afterClosing,
      'review.reopened': afterClosing,
    },
  },
  last: ({ status }: { readonly status: ReviewStatus }) => ends[status],
  says: ({ kind }: { readonly kind: string }) => ({ kind }),
  acts: {
    'case.close': {
      title: { en: 'Close a case', pt: 'Fechar um caso' },
      effect: {
        en: 'The case ends, and its transactions have the outcome.',
        pt: 'O caso termina, e as transações dele têm o resultado.',
      },
      undo: { en: 'Take the case up again, as a new case.', pt: 'Reabrir o caso, como um caso novo.' },
      ask: 'reviews:decide',
      approve: 'reviews:approve',
      path: '/operator/reviews',
      routes: ['POST /operator/reviews/:id/decision', 'POST /operator/reviews/decisions'],
      guards: [
        guardInserts('reviews', 'begin_open', `NEW.status IN ('PENDING_APPROVAL', 'CLOSED')`),
        // Also covers a closed case that gets another decision or a follow-up case.
        guardRows('reviews', {
          when: `(NEW.status = 'CLOSED' OR OLD.status = 'CLOSED')
            AND (OLD.status, OLD.resolution, OLD.report, OLD.proposed_by, OLD.closed_by, OLD.closed_at, OLD.approval_id,
                 OLD.single_control) IS DISTINCT FROM
                (NEW.status, NEW.resolution, NEW.report, NEW.proposed_by, NEW.closed_by, NEW.closed_at, NEW.approval_id,
                 NEW.single_control)`,
          values: { status: 'status', resolution: 'resolution', report: 'report' },
          request: {
            approval_id: 'id',
            proposed_by: 'requested_by',
            closed_by: 'decided_by',
            single_control: 'single_control',
          },
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [review] as const;
