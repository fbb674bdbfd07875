import { useState, type ReactElement } from 'react';
import { Button } from '../../../parts/controls.js';
import { part } from '../../../parts/part.js';
import { without } from '../../../parts/without.js';
import { useTexts } from '../../../texts/language.js';
import { wordsOf } from './words.js';
import type { Aggregate } from '../data.js';
import { aggregatesTexts } from './texts.js';

// Loaded when it is asked for: the editor takes most of what a screen may weigh.
const AggregateDialog = part(() => import('./aggregate.js').then((one) => one.AggregateDialog), 1);

type Declared = Readonly<Record<string, Aggregate>>;

/** The figures over earlier transactions that a rule declares for itself. */
export function Aggregates({
  aggregates,
  readOnly,
  onChange,
}: {
  aggregates: Declared;
  readOnly: boolean;
  onChange: (aggregates: Record<string, Aggregate>) => void;
}): ReactElement | null {
  const t = useTexts(aggregatesTexts);
  const [editing, edit] = useState<string | null>(null);
  const all = Object.entries(aggregates);
  if (readOnly && all.length === 0) return null;
  return (
    <div className="stack">
      <span className="label">{t.aggregates}</span>
      {all.length === 0 && <p className="quiet small">{t.aggregatesHint}</p>}
      <ul className="plain">
        {all.map(([name, one]) => (
          <li key={name} className="row">
            <code>{`aggregate.${name}`}</code>
            <span className="quiet small">{wordsOf(one)}</span>
            {!readOnly && (
              <span className="row end">
                <Button
                  aria-label={`${t.changeAggregate} ${name}`}
                  onClick={() => {
                    edit(name);
                  }}
                >
                  {t.changeAggregate}
                </Button>
                <Button
                  look="danger"
                  aria-label={`${t.removeAggregate} ${name}`}
                  onClick={() => {
                    onChange(without(aggregates, name));
                  }}
                >
                  {t.removeAggregate}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <div>
          <Button
            onClick={() => {
              edit('');
            }}
          >
            {t.addAggregate}
          </Button>
        </div>
      )}
      {editing !== null && (
        <AggregateDialog
          name={editing}
          aggregate={aggregates[editing] ?? null}
          onKeep={(name, one) => {
            const others = Object.entries(aggregates).filter(([other]) => other !== editing);
            onChange(Object.fromEntries([...others, [name, one]]));
          }}
          onClose={() => {
            edit(null);
          }}
        />
      )}
    </div>
  );
}
