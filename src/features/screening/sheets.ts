import { guardInserts, guardChange, inAnyOrder, sheet } from '../../platform/sheets/index.js';
import type { HitStatus } from './domain/hit.js';

const listSteps = [
  'list.changed',
  'list.import_begun',
  'list.import_read',
  'list.import_published',
  'list.import_rejected',
  'list.archived',
] as const;
const hitSteps = ['hit.decided', 'hit.reopened'] as const;
const hitEnds = {
  PENDING: ['hit.found', 'hit.reopened'],
  ESCALATED: ['hit.decided'],
  CONFIRMED: ['hit.decided'],
  DISMISSED_FALSE_POSITIVE: ['hit.decided'],
} as const satisfies Record<HitStatus, readonly string[]>;

/** A list of names, with its imports. */
const list = sheet({
  type: 'screening_list',
  id: 'lst',
  actions: ['list.created', ...listSteps],
  order: inAnyOrder('list.created', listSteps),
  acts: {
    'list.change': {
      title: { en: 'Change a list', pt: 'Mudar uma lista' },
      effect: {
        en: 'Thresholds, staleness or use of a list change.',
        pt: 'Limites, validade ou uso de uma lista mudam.',
      },
      undo: { en: 'Ask for the former values.', pt: 'Pedir os valores anteriores.' },
      ask: 'lists:manage',
      approve: 'lists:manage',
      path: '/operator/lists',
      routes: ['POST /operator/lists/:id/changes'],
      guards: [
        guardChange('screening_lists', {
          when: `(OLD.evidence_threshold, OLD.mandatory_threshold, OLD.stale_after_days, OLD.archived_at, OLD.kind)
            IS DISTINCT FROM (NEW.evidence_threshold, NEW.mandatory_threshold, NEW.stale_after_days, NEW.archived_at, NEW.kind)`,
          values: {
            evidence_threshold: 'evidenceThreshold',
            mandatory_threshold: 'mandatoryThreshold',
            stale_after_days: 'staleAfterDays',
            kind: 'kind',
          },
        }),
      ],
    },
    'list.import': {
      title: { en: 'Publish a list', pt: 'Publicar uma lista' },
      effect: {
        en: 'An import takes effect that begins a list of sanctions or PEPs, weakens a list, or clears people.',
        pt: 'Vale uma importação que inicia uma lista de sanções ou de PEP, enfraquece uma lista ou libera pessoas.',
      },
      undo: { en: 'Import the former file again.', pt: 'Importar de novo o arquivo anterior.' },
      ask: 'lists:manage',
      approve: 'lists:manage',
      id: 'imp',
      routes: ['POST /operator/lists/:id/imports/:importId/confirm'],
      guards: [
        guardChange('screening_snapshots', {
          when: `OLD.status = 'AWAITING_CONFIRMATION' AND NEW.status = 'PUBLISHED'`,
        }),
        guardInserts('screening_snapshots', 'begin_reading', `NEW.status <> 'READING'`),
      ],
    },
  },
});

/** An entry of a list that may be a customer. */
const hit = sheet({
  type: 'screening_hit',
  id: 'hit',
  isPrunable: true,
  actions: ['hit.found', ...hitSteps],
  order: inAnyOrder('hit.found', hitSteps),
  last: ({ status }: { readonly status: HitStatus }) => hitEnds[status],
  acts: {
    'hit.decide': {
      title: { en: 'Decide a hit', pt: 'Decidir um apontamento' },
      effect: {
        en: 'A hit that forces a decision is confirmed or dismissed, and that is remembered.',
        pt: 'Um apontamento que obriga a decidir é confirmado ou afastado, e isso é lembrado.',
      },
      undo: {
        en: 'Ask to reopen it; it opens by itself when the entry changes, and a dismissal after 365 days.',
        pt: 'Pedir a reabertura; ele volta sozinho quando o registro da lista muda, e o afastado, após 365 dias.',
      },
      ask: 'hits:decide',
      approve: 'reviews:approve',
      path: '/operator/hits',
      routes: ['POST /operator/hits/:id/proposals', 'POST /operator/hits/proposals'],
      guards: [
        guardChange('screening_hits', {
          // A hit that took the disposition of another hit needs no approval of its own.
          when: `NEW.mandatory AND NEW.decided_as IS NULL AND NEW.status IN ('CONFIRMED', 'DISMISSED_FALSE_POSITIVE')
            AND OLD.status IS DISTINCT FROM NEW.status`,
          values: { status: 'disposition' },
        }),
      ],
    },
    'hit.reopen': {
      title: { en: 'Reopen a hit', pt: 'Reabrir um apontamento' },
      effect: {
        en: 'A decision about a hit is taken back, and what it let through is judged again.',
        pt: 'Uma decisão sobre um apontamento é retirada, e o que ela deixou passar é julgado de novo.',
      },
      undo: { en: 'Propose the decision again.', pt: 'Propor a decisão de novo.' },
      ask: 'hits:decide',
      approve: 'reviews:approve',
      path: '/operator/hits',
      routes: ['POST /operator/hits/:id/reopen'],
    },
  },
});

/** A frozen person. Authorities that were told of the freeze may be told again after its end. */
const freeze = sheet({
  type: 'freeze',
  id: 'frz',
  actions: ['freeze.placed', 'freeze.told', 'freeze.lifted'],
  order: {
    first: ['freeze.placed'],
    follows: {
      'freeze.placed': ['freeze.told', 'freeze.lifted'],
      'freeze.told': ['freeze.told', 'freeze.lifted'],
      'freeze.lifted': ['freeze.told'],
    },
  },
  last: ({ liftedAt }: { readonly liftedAt: Date | null }) =>
    liftedAt === null ? ['freeze.placed', 'freeze.told'] : ['freeze.told', 'freeze.lifted'],
  acts: {
    'freeze.lift': {
      title: { en: 'Lift a freeze', pt: 'Levantar um bloqueio' },
      effect: {
        en: 'A frozen person is held no longer.',
        pt: 'Uma pessoa bloqueada deixa de estar bloqueada.',
      },
      undo: {
        en: 'Reopen the hit and confirm it again.',
        pt: 'Reabrir o apontamento e confirmá-lo de novo.',
      },
      ask: 'hits:decide',
      approve: 'reviews:approve',
      path: '/operator/freezes',
      routes: ['POST /operator/freezes/:id/lift'],
      guards: [
        guardChange('freezes', {
          name: 'lift_approved',
          when: '(OLD.lifted_at IS NULL AND NEW.lifted_at IS NOT NULL)',
        }),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [list, hit, freeze] as const;
