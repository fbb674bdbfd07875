import { guardInserts, guardChange, guardRows, sheet } from '../../platform/sheets/index.js';
import type { FilingStatus } from './domain/coaf/filing.js';

/** The actions that may follow a draft. */
const next = ['communication.edited', 'communication.filing_recorded', 'communication.dismissed'] as const;
const ends = {
  DRAFT: ['communication.drafted', 'communication.edited', 'communication.filing_refused'],
  RECORDED: ['communication.filing_recorded'],
  FILED: ['communication.filed'],
  DISMISSED: ['communication.dismissed'],
} as const satisfies Record<FilingStatus, readonly string[]>;

/** A communication to COAF. */
const communication = sheet({
  type: 'communication',
  id: 'com',
  isPrunable: true,
  actions: ['communication.drafted', ...next, 'communication.filing_refused', 'communication.filed'],
  order: {
    first: ['communication.drafted'],
    follows: {
      'communication.drafted': next,
      'communication.edited': next,
      'communication.filing_recorded': ['communication.filed', 'communication.filing_refused'],
      'communication.filing_refused': next,
      'communication.filed': [],
      'communication.dismissed': [],
    },
  },
  last: ({ status }: { readonly status: FilingStatus }) => ends[status],
  says: ({ kind }: { readonly kind: string }) => ({ kind }),
  acts: {
    'communication.file': {
      title: { en: 'Record a communication', pt: 'Registrar uma comunicação' },
      effect: {
        en: 'What was recorded as filed with COAF counts as filed.',
        pt: 'O que foi registrado como enviado ao COAF conta como enviado.',
      },
      undo: { en: 'Not undone: COAF knows.', pt: 'Não se desfaz: o COAF já sabe.' },
      ask: 'reviews:decide',
      approve: 'reviews:approve',
      path: '/operator/coaf/communications',
      routes: ['POST /operator/coaf/communications/:id/filing'],
      guards: [
        guardInserts('coaf_communications', 'begin_drafted', `NEW.status <> 'DRAFT'`),
        guardRows('coaf_communications', {
          when: `(NEW.status = 'FILED' OR OLD.status = 'FILED')
            AND (OLD.status, OLD.filing_number, OLD.content_hash, OLD.confirmed_by) IS DISTINCT FROM
                (NEW.status, NEW.filing_number, NEW.content_hash, NEW.confirmed_by)`,
          values: { status: 'status', filing_number: 'filingNumber', content_hash: 'contentHash' },
          request: {
            approval_id: 'id',
            recorded_by: 'requested_by',
            confirmed_by: 'decided_by',
            single_control: 'single_control',
          },
        }),
      ],
    },
    'communication.dismiss': {
      title: { en: 'Dismiss a communication', pt: 'Não comunicar' },
      effect: {
        en: 'A wrong draft of a communication to COAF is given up.',
        pt: 'Uma minuta errada de comunicação ao COAF é abandonada.',
      },
      undo: {
        en: 'Not undone: take the case up again and decide anew.',
        pt: 'Não se desfaz: reabra o caso e decida de novo.',
      },
      ask: 'reviews:decide',
      approve: 'reviews:approve',
      path: '/operator/coaf/communications',
      routes: ['POST /operator/coaf/communications/:id/dismissal'],
      guards: [
        // A dismissed draft never changes.
        guardChange('coaf_communications', {
          name: 'dismissed',
          when: `(NEW.status = 'DISMISSED' OR OLD.status = 'DISMISSED') AND NEW.status IS DISTINCT FROM OLD.status`,
          values: { status: 'status', revision: 'revision' },
        }),
      ],
    },
  },
});

/** Who communicates to COAF. */
const institution = sheet({
  type: 'coaf_institution',
  actions: ['coaf_institution.changed'],
});

/** A printed dossier. */
const dossier = sheet({
  type: 'dossier',
  id: 'dsr',
  isPrunable: true,
  actions: ['dossier.exported'],
});

/** The audited subjects of this feature. */
export const sheets = [communication, institution, dossier] as const;
