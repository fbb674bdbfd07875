import type { ReactElement } from 'react';
import { useTexts } from '../../texts/language.js';
import type { Condition, Step } from './data.js';
import { flowsTexts } from './texts.js';

/** The ids of what these steps ask for. */
export const answersOf = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ id, type, fields, questions }) => [
    ...(type === 'CONSENT' ? [id] : []),
    ...(fields ?? []).map((one) => one.id),
    ...(questions ?? []).map((one) => one.id),
  ]);

/** When something is asked: always, or after an earlier answer. */
export function OnlyIf({
  condition,
  answers,
  onChange,
}: {
  condition: Condition | undefined;
  answers: readonly string[];
  onChange: (condition: Condition | null) => void;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const value = condition?.in?.join(', ') ?? String(condition?.equals ?? '');
  const read = (answer: string, text: string): Condition => {
    if (text === 'true' || text === 'false') return { answer, equals: text === 'true' };
    return text.includes(',')
      ? { answer, in: text.split(',').map((one) => one.trim()) }
      : { answer, equals: text };
  };
  return (
    <div className="row small">
      <label className="row">
        {t.showIf}
        <select
          className="input slim"
          value={condition?.answer ?? ''}
          onChange={(event) => {
            onChange(
              event.target.value === '' ? null : read(event.target.value, value === '' ? 'true' : value),
            );
          }}
        >
          <option value="">{t.always}</option>
          {[...new Set([...answers, ...(condition ? [condition.answer] : [])])].map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      {condition !== undefined && (
        <label className="row">
          {t.is}
          <input
            className="input slim code"
            title={t.isHint}
            value={value}
            onChange={(event) => {
              onChange(read(condition.answer, event.target.value));
            }}
          />
        </label>
      )}
    </div>
  );
}
