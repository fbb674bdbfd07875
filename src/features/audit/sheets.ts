import { guardInserts, guardRows, sheet } from '../../platform/sheets/index.js';

const exportEnds = {
  QUEUED: ['audit_export.requested'],
  RUNNING: ['audit_export.requested'],
  READY: ['audit_export.finished', 'audit_export.downloaded'],
  BLOCKED: ['audit_export.blocked'],
  FAILED: ['audit_export.failed'],
  EXPIRED: ['audit_export.expired'],
} as const;

/** The log of an organisation. */
const log = sheet({
  type: 'audit_log',
  actions: [
    'audit_log.reincarnation_requested',
    'audit_log.reincarnated',
    'audit_log.pruned',
    'audit_log.sealed_late',
    'audit_log.gap_found',
    'audit_log.gap_closed',
    'audit_log.witnessed',
  ],
  acts: {
    'log.restart': {
      title: { en: 'Restart the log', pt: 'Recomeçar o registro' },
      effect: {
        en: 'A log that was put back goes on under a new origin.',
        pt: 'Um registro que foi restaurado segue sob uma origem nova.',
      },
      undo: {
        en: 'Not undone: the old log cannot be taken for the new one.',
        pt: 'Não se desfaz: o registro antigo não se confunde com o novo.',
      },
      ask: 'audit:repair',
      approve: 'audit:repair',
      id: 'rin',
      lines: (_, { restoredSize, anchorSize }) => [
        {
          what: { en: 'Entries of the log', pt: 'Registros do log' },
          before: { en: `${String(anchorSize)} signed`, pt: `${String(anchorSize)} assinados` },
          after: { en: `${String(restoredSize)} restored`, pt: `${String(restoredSize)} restaurados` },
        },
      ],
      routes: ['POST /operator/audit/log-restarts'],
      guards: [
        guardRows('audit_reincarnations', {
          when: `NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED'`,
          values: { status: 'status', incarnation: 'incarnation' },
          request: { requested_by: 'requested_by', approved_by: 'decided_by' },
        }),
        guardInserts('audit_reincarnations', 'begin_requested', `NEW.status <> 'REQUESTED'`),
      ],
    },
  },
});

/** A package of the log. */
const logExport = sheet({
  type: 'audit_export',
  id: 'aex',
  actions: [
    'audit_export.requested',
    'audit_export.finished',
    'audit_export.blocked',
    'audit_export.failed',
    'audit_export.downloaded',
    'audit_export.expired',
  ],
  order: {
    first: ['audit_export.requested'],
    follows: {
      'audit_export.requested': ['audit_export.finished', 'audit_export.blocked', 'audit_export.failed'],
      'audit_export.finished': ['audit_export.downloaded', 'audit_export.expired'],
      'audit_export.downloaded': ['audit_export.downloaded', 'audit_export.expired'],
    },
  },
  last: ({ status }: { readonly status: keyof typeof exportEnds }) => exportEnds[status],
});

/** The steps of the people who run the installation. */
const operations = sheet({
  type: 'operations',
  actions: [
    'ops.feed.rewound',
    'ops.queue.rebuilt',
    'ops.index_key.rotated',
    'ops.keys.rotated',
    'ops.quota.set',
    'ops.single_handed.set',
  ],
});

/** The rows of a subject, as each step left them. */
const state = sheet({
  type: 'state',
  actions: ['state.bound', 'state.altered'],
});

/** The accesses to the record of a person. */
const access = sheet({
  type: 'access',
  isPrunable: true,
  actions: ['access.noted'],
});

/** The tables, functions and triggers as the migrations made them. */
const catalogue = sheet({
  type: 'catalogue',
  actions: ['catalogue.pinned'],
});

/** The audited subjects of this feature. */
export const sheets = [log, logExport, operations, state, access, catalogue] as const;
