import { useState, type ReactElement } from 'react';
import { useAssignMany, useDecideMany, type Bulk, type CaseRow, type Decision } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { useColleagues } from '../../data/people.js';
import { Failure } from '../../parts/answers.js';
import { Button, Field, Pill } from '../../parts/controls.js';
import { Dialog } from '../../parts/dialogs/dialog.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { number } from '../../texts/formats.js';
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
  const c = useTexts(common);
  const decide = useDecideMany();
  const [resolution, setResolution] = useState<Decision['resolution']>('APPROVED');
  const [report, setReport] = useState<Decision['report']>('ARCHIVE');
  const [text, setText] = useState('');
  const [seen, see] = useState<Bulk | null>(null);
  const enough = text.trim().length >= 20;
  const send = (preview: boolean): void => {
    const decision = { resolution, report, justification: text.trim() };
    decide.mutate(
      { ids: cases.map(({ id }) => id), decision, preview },
      {
        onSuccess: (answer) => {
          if (preview) see(answer);
          else {
            say(t.askedMany(answer.asked, answer.refused));
            onDone();
          }
        },
      },
    );
  };
  return (
    <Dialog title={t.decideMany} wide onClose={onClose}>
      <div className="stack">
        <p className="quiet">{t.decideManyHint}</p>
        {decide.error && <Failure error={decide.error} />}
        <div className="pair">
          <Field label={t.resolution}>
            {(given) => (
              <select
                {...given}
                value={resolution}
                onChange={(event) => {
                  setResolution(event.target.value as Decision['resolution']);
                  see(null);
                }}
              >
                {(['APPROVED', 'REJECTED', 'FALSE_POSITIVE'] as const).map((one) => (
                  <option key={one} value={one}>
                    {word('resolution', one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.report}>
            {(given) => (
              <select
                {...given}
                value={report}
                onChange={(event) => {
                  setReport(event.target.value as Decision['report']);
                  see(null);
                }}
              >
                {(['ARCHIVE', 'COMMUNICATE'] as const).map((one) => (
                  <option key={one} value={one}>
                    {word('report', one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Field label={t.justification} hint={c.atLeast(20, text.trim().length)}>
          {(given) => (
            <textarea
              {...given}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                see(null);
              }}
            />
          )}
        </Field>
        {seen && (
          <div className="scroll" role="status">
            <table>
              <tbody>
                {seen.items.map((item) => (
                  <tr key={item.id}>
                    <td>{cases.find(({ id }) => id === item.id)?.customerName ?? item.id}</td>
                    <td>
                      <Pill tone={item.result === 'REFUSED' ? 'bad' : 'good'}>
                        {item.result === 'REFUSED' ? t.refused : t.would}
                      </Pill>{' '}
                      {item.code !== null && <code>{item.code}</code>}
                    </td>
                    <td className="number">
                      {number(item.transactions)} <span className="hidden">{t.transactionsDecided}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <div className="row">
          {seen && seen.asked > 0 ? (
            <Button
              look="main"
              disabled={decide.isPending}
              onClick={() => {
                send(false);
              }}
            >
              {t.proposeMany(seen.asked)}
            </Button>
          ) : (
            <Button
              look="main"
              disabled={!enough || decide.isPending}
              onClick={() => {
                send(true);
              }}
            >
              {t.look}
            </Button>
          )}
          <Button onClick={onClose}>{c.cancel}</Button>
        </div>
      </div>
    </Dialog>
  );
}
