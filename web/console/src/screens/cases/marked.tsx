import { useState, type ReactElement } from 'react';
import { useAssignMany, useDecideMany, type CaseRow, type Decision } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { useColleagues } from '../../data/people.js';
import { Button, Choice } from '../../parts/controls.js';
import { BulkDialog } from '../../parts/dialogs/bulk-dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { casesTexts } from './texts.js';

/** Offers the acts on the cases that are marked. */
export function Marked({ cases, onDone }: { cases: readonly CaseRow[]; onDone: () => void }): ReactElement {
  const t = useTexts(casesTexts);
  const may = useMay();
  const colleagues = useColleagues();
  const assign = useAssignMany();
  const [asking, ask] = useState<'ASSIGN' | 'DECIDE' | null>(null);
  const close = (): void => {
    ask(null);
  };
  return (
    <div className="row" role="status">
      <strong>{t.markedCount(cases.length)}</strong>
      {may('reviews:work') === 'YES' && (
        <Button
          onClick={() => {
            ask('ASSIGN');
          }}
        >
          {t.assignMany}
        </Button>
      )}
      {may('reviews:decide') === 'YES' && (
        <Button
          disabled={!cases.every(({ kind }) => kind === 'DATA_GAP')}
          title={t.decideManyHint}
          onClick={() => {
            ask('DECIDE');
          }}
        >
          {t.decideMany}
        </Button>
      )}
      <Button look="bare" onClick={onDone}>
        {t.unmark}
      </Button>
      {asking === 'ASSIGN' && (
        <FormDialog
          title={t.assignMany}
          action={t.assignMany}
          fields={[
            {
              name: 'who',
              label: t.assignTo,
              kind: 'choice',
              options: colleagues
                .filter(({ worksOnCases }) => worksOnCases)
                .map(({ id, displayName }) => [id, displayName]),
            },
          ]}
          onSend={async (filled) => {
            const ids = cases.map(({ id }) => id);
            const { assignments, left } = await assign.mutateAsync({ ids, assigneeId: filled.text('who') });
            say(t.assignedMany(assignments.length, left.length));
            onDone();
          }}
          onClose={close}
        />
      )}
      {asking === 'DECIDE' && <DecideMany cases={cases} onDone={onDone} onClose={close} />}
    </div>
  );
}

/** The same end for all of them: seen first, proposed then. */
function DecideMany({
  cases,
  onDone,
  onClose,
}: {
  cases: readonly CaseRow[];
  onDone: () => void;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(casesTexts);
  const decide = useDecideMany();
  const [resolution, setResolution] = useState<Decision['resolution']>('APPROVED');
  const [report, setReport] = useState<Decision['report']>('ARCHIVE');
  return (
    <BulkDialog
      title={t.decideMany}
      hint={t.decideManyHint}
      about={[resolution, report].join()}
      ids={cases.map(({ id }) => id)}
      nameOf={(id) => cases.find((one) => one.id === id)?.customerName ?? id}
      run={(justification, preview) =>
        decide.mutateAsync({
          ids: cases.map(({ id }) => id),
          decision: { resolution, report, justification },
          preview,
        })
      }
      onDone={onDone}
      onClose={onClose}
    >
      <div className="pair">
        <Choice
          label={t.resolution}
          value={resolution}
          options={(['APPROVED', 'REJECTED', 'FALSE_POSITIVE'] as const).map((one) => [
            one,
            word('resolution', one),
          ])}
          onChange={setResolution}
        />
        <Choice
          label={t.report}
          value={report}
          options={(['ARCHIVE', 'COMMUNICATE'] as const).map((one) => [one, word('report', one)])}
          onChange={setReport}
        />
      </div>
    </BulkDialog>
  );
}
