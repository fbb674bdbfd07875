import type { ReactElement } from 'react';
import { now } from '../../api/clock.js';
import type { CaseRow } from '../../data/cases.js';
import { Pill } from '../../parts/controls.js';
import { span } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { casesTexts } from './texts.js';

const HOUR = 3_600_000;

/** How long until the clock that runs, or since it ran out. */
export function Due({ row }: { row: Pick<CaseRow, 'dueAt' | 'overdue' | 'status'> }): ReactElement {
  const t = useTexts(casesTexts);
  const left = new Date(row.dueAt).getTime() - now();
  const tone = row.overdue ? 'bad' : left < 24 * HOUR ? 'warn' : 'plain';
  const words = row.overdue ? t.overdue(span(-left)) : t.dueIn(span(left));
  if (row.status === 'CLOSED' && !row.overdue) return <span className="quiet">—</span>;
  return (
    <Pill tone={tone}>
      <span aria-hidden="true">{span(left)}</span>
      <span className="hidden">{words}</span>
    </Pill>
  );
}

/** A score as a number with a small bar of 0 to 100. */
export const Score = ({ value }: { value: number | null }): ReactElement => {
  const t = useTexts(casesTexts);
  return value === null ? (
    <span className="quiet" title={t.noScore}>
      —
    </span>
  ) : (
    <span className="score" title={t.score(String(value))}>
      <b>{value}</b>
      <span className={value >= 60 ? 'meter bad' : 'meter'} style={{ width: `${value / 40}rem` }} />
    </span>
  );
};
