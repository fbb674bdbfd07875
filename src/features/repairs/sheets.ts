import { guardInserts, guardRows, sheet } from '../../platform/sheets/index.js';

/** An answer of two people to the gaps of a trail. */
const repair = sheet({
  type: 'repair',
  id: 'rep',
  actions: ['repair.requested', 'repair.applied', 'repair.refused'],
  acts: {
    'trail.repair': {
      title: { en: 'Repair the trail', pt: 'Reparar a trilha' },
      effect: { en: 'The gaps of a trail are answered.', pt: 'As falhas de uma trilha são respondidas.' },
      undo: {
        en: 'Not undone: it stands beside what was there, and a further change is a gap again.',
        pt: 'Não se desfaz: fica ao lado do que havia, e outra mudança é de novo uma falha.',
      },
      ask: 'audit:repair',
      approve: 'audit:repair',
      path: '/operator/audit/repairs',
      lines: (_, { subjectType, subjectId, gaps }) => [
        {
          what: { en: 'Trail', pt: 'Trilha' },
          before: { en: `${String(gaps)} gaps`, pt: `${String(gaps)} falhas` },
          after: `${String(subjectType)} ${String(subjectId)}`,
        },
      ],
      routes: ['POST /operator/audit/repairs'],
      guards: [
        guardRows('audit_repairs', {
          when: `NEW.status = 'APPLIED' AND OLD.status <> 'APPLIED'`,
          values: { status: 'status', kind: 'kind', subject_type: 'subjectType', subject_id: 'subjectId' },
          request: { requested_by: 'requested_by', decided_by: 'decided_by' },
        }),
        guardInserts('audit_repairs', 'begin_requested', `NEW.status <> 'REQUESTED'`),
      ],
    },
  },
});

/** The audited subjects of this feature. */
export const sheets = [repair] as const;
