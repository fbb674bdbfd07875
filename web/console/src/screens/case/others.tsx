import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { isWorkedOn, useCase, useMerge, type CaseFile } from '../../data/cases.js';
import { useMay } from '../../data/me.js';
import { Asked } from '../../parts/answers.js';
import { Button, Pill } from '../../parts/controls.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { dateTime, number, relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { caseTexts } from './texts.js';

/** Other cases of the same customer; one on which somebody still works can go into this one. */
export function OtherCases({ file }: { file: CaseFile }): ReactElement | null {
  const t = useTexts(caseTexts);
  const may = useMay();
  const [merging, merge] = useState<string | null>(null);
  const merges = may('reviews:work') === 'YES' && isWorkedOn(file);
  if (file.earlierCases.length === 0) return null;
  return (
    <div className="block">
      <h3>{t.others}</h3>
      <ul className="plain">
        {file.earlierCases.map((one) => (
          <li key={one.id} className="row">
            <Link to="/cases/$id" params={{ id: one.id }}>
              {word('theme', one.theme)}
            </Link>
            <span className="quiet small">{relative(one.openedAt)}</span>
            <Pill>
              {one.resolution === null ? word('caseStatus', one.status) : word('resolution', one.resolution)}
            </Pill>
            {merges && isWorkedOn(one) && (
              <Button
                className="end"
                onClick={() => {
                  merge(one.id);
                }}
              >
                {t.merge}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {merging !== null && (
        <MergeDialog
          file={file}
          id={merging}
          onClose={() => {
            merge(null);
          }}
        />
      )}
    </div>
  );
}

/** Shows both cases side by side before one goes into the other. */
function MergeDialog({
  file,
  id,
  onClose,
}: {
  file: CaseFile;
  id: string;
  onClose: () => void;
}): ReactElement {
  const t = useTexts(caseTexts);
  const c = useTexts(common);
  const other = useCase(id);
  const merge = useMerge(file.id);
  return (
    <WritingDialog
      title={t.merge}
      about={id}
      label={c.why}
      minimum={20}
      action={t.merge}
      onSend={async (reason) => {
        await merge.mutateAsync({ review: id, reason });
        say(t.merged);
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.mergeHint}</p>
      <Asked query={other} lines={5}>
        {(from) => (
          <table className="small">
            <thead>
              <tr>
                <td />
                <th scope="col">{t.thisCase}</th>
                <th scope="col">{t.goesIn}</th>
              </tr>
            </thead>
            <tbody>
              {(
                [
                  [t.theme, (one) => word('theme', one.theme)],
                  [t.priority, (one) => word('priority', one.priority)],
                  [t.transactions, (one) => number(one.transactionCount)],
                  [t.hits, (one) => number(one.hits.length)],
                  [t.notes, (one) => number(one.notes.length)],
                  [t.owner, (one) => one.assigneeName ?? t.nobody],
                  [t.clocks, (one) => dateTime(one.dueAt)],
                ] as readonly (readonly [string, (one: CaseFile) => string])[]
              ).map(([name, of]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{of(file)}</td>
                  <td>{of(from)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Asked>
    </WritingDialog>
  );
}
