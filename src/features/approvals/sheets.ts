import { sheet } from '../../platform/sheets/index.js';

const ends = {
  REQUESTED: ['approval.requested'],
  APPROVED: ['approval.approved'],
  APPLIED: ['approval.applied'],
  REFUSED: ['approval.refused'],
  WITHDRAWN: ['approval.withdrawn'],
  EXPIRED: ['approval.expired'],
  FAILED: ['approval.failed'],
} as const;

/** A request of one person that another one decides. */
const approval = sheet({
  type: 'approval',
  id: 'apr',
  actions: [
    'approval.requested',
    'approval.approved',
    'approval.applied',
    'approval.refused',
    'approval.withdrawn',
    'approval.expired',
    'approval.failed',
  ],
  order: {
    first: ['approval.requested'],
    follows: {
      'approval.requested': [
        'approval.approved',
        'approval.refused',
        'approval.withdrawn',
        'approval.expired',
      ],
      'approval.approved': ['approval.applied', 'approval.withdrawn', 'approval.failed'],
    },
  },
  last: ({ status }: { readonly status: keyof typeof ends }) => ends[status],
});

/** The audited subjects of this feature. */
export const sheets = [approval] as const;
