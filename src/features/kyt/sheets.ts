import { guardChange, guardRows, sheet } from '../../platform/sheets/index.js';
import type { TransactionStatus } from './domain/status.js';

const waiting = ['transaction.received', 'transaction.replayed'] as const;
const concluded = ['transaction.evaluated', 'transaction.decided', 'transaction.late_noted'] as const;
const ends = {
  QUEUED: waiting,
  PROCESSING: waiting,
  COMPLETED: concluded,
  DEAD_LETTERED: ['transaction.dead_lettered', 'transaction.discarded'],
} as const satisfies Record<TransactionStatus, readonly string[]>;

const agreed = {
  approval_id: 'id',
  requested_by: 'requested_by',
  approved_by: 'decided_by',
  single_control: 'single_control',
} as const;

/** A transaction of an integrator. */
const transaction = sheet({
  type: 'transaction',
  id: 'txn',
  isPrunable: true,
  actions: [
    'transaction.received',
    'transaction.evaluated',
    'transaction.decided',
    'transaction.late_noted',
    'transaction.dead_lettered',
    'transaction.replayed',
    'transaction.discarded',
  ],
  order: {
    first: ['transaction.received'],
    follows: {
      'transaction.received': ['transaction.evaluated', 'transaction.dead_lettered'],
      'transaction.dead_lettered': ['transaction.replayed', 'transaction.discarded'],
      'transaction.discarded': [],
      'transaction.replayed': ['transaction.evaluated', 'transaction.dead_lettered'],
      'transaction.evaluated': concluded,
      'transaction.decided': concluded,
      'transaction.late_noted': concluded,
    },
  },
  // A transaction without unfinished work is evaluated.
  last: ({ status }: { readonly status: TransactionStatus | null }) => ends[status ?? 'COMPLETED'],
  events: [
    'transaction.received',
    'transaction.evaluated',
    'transaction.decided',
    'transaction.dead_lettered',
  ],
});

/** An event of a customer that moves no money. */
const customerEvent = sheet({
  type: 'customer_event',
  id: 'cev',
  isPrunable: true,
  actions: ['customer_event.received'],
  order: { first: ['customer_event.received'], follows: { 'customer_event.received': [] } },
});

/** A request to give up dead transactions. */
const discard = sheet({
  type: 'discard',
  id: 'dsc',
  isPrunable: true,
  actions: ['discard.requested', 'discard.approved', 'discard.withdrawn'],
  acts: {
    'dead_letter.discard': {
      title: { en: 'Discard dead letters', pt: 'Descartar mensagens mortas' },
      effect: { en: 'Dead transactions are never evaluated.', pt: 'Transações mortas nunca são avaliadas.' },
      undo: {
        en: 'Not undone: the integrator sends them under new ids.',
        pt: 'Não se desfaz: quem integra as envia de novo com outros números.',
      },
      ask: 'kyt:replay',
      approve: 'kyt:replay',
      lines: (_, { transactions }) => [
        {
          what: { en: 'Transactions', pt: 'Transações' },
          before: null,
          after: Array.isArray(transactions) ? String(transactions.length) : null,
        },
      ],
      routes: ['POST /operator/dead-letters/:id/discard', 'POST /operator/dead-letters/discards'],
      guards: [
        guardChange('dead_letter_discards', { on: 'INSERT OR UPDATE', when: `NEW.status = 'APPROVED'` }),
      ],
    },
  },
});

/** A run of a version, or of a list, over the last days. */
const lookBack = sheet({
  type: 'look_back',
  id: 'lbk',
  isPrunable: true,
  actions: ['look_back.approved', 'look_back.cancelled', 'look_back.finished', 'look_back.failed'],
  acts: {
    'ruleset.look_back': {
      title: { en: 'Look back with the rules', pt: 'Reexaminar com as regras' },
      effect: {
        en: 'A version is run over the last days; what it would have made an alert of opens or joins cases.',
        pt: 'Uma versão é passada pelos últimos dias; o que ela teria apontado abre casos ou entra neles.',
      },
      undo: {
        en: 'Cancel the run; the cases that it has opened stay, and are decided.',
        pt: 'Cancelar a execução; os casos que ela abriu ficam, e são decididos.',
      },
      ask: 'rules:publish',
      approve: 'rules:publish',
      routes: ['POST /operator/rulesets/:key/versions/:version/look-backs'],
      guards: [
        guardRows('look_backs', {
          name: 'rules_approved',
          on: 'INSERT',
          when: `NEW.kind = 'RULESET'`,
          values: {
            ruleset_key: 'ruleset',
            ruleset_version: 'version',
            content_hash: 'contentHash',
            days: 'days',
          },
          request: agreed,
        }),
      ],
    },
    'list.look_back': {
      title: { en: 'Look back with a list', pt: 'Reexaminar com uma lista' },
      effect: {
        en: 'A list is asked about the people of the last days; whom it names now opens or joins cases.',
        pt: 'Pergunta-se a uma lista pelas pessoas dos últimos dias; quem ela aponta agora abre casos ou entra neles.',
      },
      undo: {
        en: 'Cancel the run; the cases that it has opened stay, and are decided.',
        pt: 'Cancelar a execução; os casos que ela abriu ficam, e são decididos.',
      },
      ask: 'lists:manage',
      approve: 'lists:manage',
      routes: ['POST /operator/lists/:id/look-backs'],
      guards: [
        guardRows('look_backs', {
          name: 'list_approved',
          on: 'INSERT',
          when: `NEW.kind = 'LIST'`,
          values: { list_id: 'list', days: 'days' },
          request: agreed,
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [transaction, customerEvent, discard, lookBack] as const;
