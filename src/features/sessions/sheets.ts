import { guardRows, sheet, type ChangeLine, type Words } from '../../platform/sheets/index.js';
import type { FlowDifference } from './domain/flow-life/difference.js';
import type { FlowDefinition } from './domain/flow/flow.js';
import type { SessionStatus, StatusReason } from './domain/session.js';

const endedActions = ['session.decided', 'session.answers_revealed'] as const;
const afterTheEnd = [...endedActions, 'session.reopened'] as const;

interface SessionRow {
  readonly status: SessionStatus;
  readonly statusReason: StatusReason | null;
}

const ends = {
  PENDING: ['session.created', 'session.evidence_reused', 'session.reopened'],
  PROCESSING: ['session.submitted', 'session.round_lapsed'],
  COMPLETED: ['session.completed', ...endedActions],
  // A session is EXPIRED as soon as its time is over; until the sweep records that, its last entry is an earlier one.
  EXPIRED: ['session.expired', 'session.created', 'session.evidence_reused'],
} as const satisfies Record<SessionStatus, readonly string[]>;

/** The values of a request to publish a flow, as far as its words need them. */
interface PublishedFlow extends FlowDifference {
  readonly definition: FlowDefinition;
}

/** Names the flow and its steps that come, change, move and leave, by their titles. */
function linesOfFlow({ definition, ...steps }: PublishedFlow): readonly ChangeLine[] {
  const titles = new Map(definition.steps.map(({ id, title }) => [id, title]));
  const nameLines = (ids: readonly string[], what: Words, isGone = false): ChangeLine[] =>
    ids.map((id) => {
      const name = titles.has(id) ? wordsOf(titles.get(id)) : id;
      return isGone ? { what, before: name, after: null } : { what, before: null, after: name };
    });
  return [
    { what: { en: 'Flow', pt: 'Fluxo' }, before: null, after: wordsOf(definition.name) },
    ...nameLines(steps.stepsAdded, { en: 'New step', pt: 'Passo novo' }),
    ...nameLines(steps.stepsChanged, { en: 'Changed step', pt: 'Passo mudado' }),
    ...nameLines(steps.stepsMoved, { en: 'Moved step', pt: 'Passo movido' }),
    ...nameLines(steps.stepsRemoved, { en: 'Step that leaves', pt: 'Passo que sai' }, true),
  ];
}

/** Returns a text of a flow for the console; a flow may lack English. */
const wordsOf = (text: FlowDefinition['name'] | undefined): Words => {
  const pt = text?.['pt-BR'] ?? '—';
  return { pt, en: text?.en ?? pt };
};

/** A version of a flow. */
const flow = sheet({
  type: 'flow',
  id: 'flw',
  actions: ['flow.published'],
  acts: {
    'flow.publish': {
      title: { en: 'Publish a flow', pt: 'Publicar um fluxo' },
      effect: {
        en: 'New sessions go through this version of the flow.',
        pt: 'Sessões novas passam por esta versão do fluxo.',
      },
      undo: {
        en: 'Ask for the former content as the next version.',
        pt: 'Pedir o conteúdo anterior como a próxima versão.',
      },
      ask: 'flows:manage',
      approve: 'flows:manage',
      lines: (_, after) => linesOfFlow(after as unknown as PublishedFlow),
      routes: [
        'POST /operator/flows',
        'POST /operator/flows/:key/versions',
        'POST /operator/flows/:key/rollback',
        'POST /operator/flows/:key/draft/publish',
      ],
      guards: [
        guardRows('flows', {
          on: 'INSERT',
          orCommandLine: true,
          when: 'true',
          values: { key: 'key', version: 'version', definition: 'definition', content_hash: 'contentHash' },
          request: { single_control: 'single_control' },
        }),
      ],
    },
  },
});

/** The draft of a flow. */
const flowDraft = sheet({
  type: 'flow_draft',
  actions: ['flow.drafted', 'flow.draft_discarded'],
});

/** A version of the privacy notice. */
const notice = sheet({
  type: 'privacy_notice',
  id: 'pnv',
  actions: ['privacy_notice.published'],
});

/** When people are asked again. */
const reverification = sheet({
  type: 'reverification',
  actions: ['reverification.changed'],
});

/** A session of an end user. */
const session = sheet({
  type: 'session',
  id: 'kys',
  actions: [
    'session.created',
    'session.upload_refused',
    'session.upload_repeated',
    'session.submitted',
    'session.reopened',
    'session.evidence_reused',
    'session.round_lapsed',
    'session.completed',
    'session.expired',
    'session.cancelled',
    'session.decided',
    'session.answers_revealed',
  ],
  order: {
    first: ['session.created'],
    beside: ['session.upload_refused', 'session.upload_repeated'],
    follows: {
      'session.created': [
        'session.submitted',
        'session.expired',
        'session.cancelled',
        'session.evidence_reused',
      ],
      'session.evidence_reused': ['session.submitted', 'session.expired', 'session.cancelled'],
      'session.submitted': ['session.completed', 'session.reopened'],
      'session.reopened': ['session.submitted', 'session.round_lapsed'],
      'session.round_lapsed': ['session.completed', 'session.reopened'],
      'session.completed': afterTheEnd,
      'session.decided': afterTheEnd,
      'session.answers_revealed': afterTheEnd,
    },
  },
  last: ({ status, statusReason }: SessionRow) =>
    status === 'EXPIRED' && statusReason === 'CANCELLED' ? ['session.cancelled'] : ends[status],
  events: [
    'session.created',
    'session.reopened',
    'session.completed',
    'session.expired',
    'session.cancelled',
    'session.decided',
  ],
});

/** The audited subjects of this feature. */
export const sheets = [flow, flowDraft, notice, reverification, session] as const;
