import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../../parts/controls.js';

interface RowsProps<T> {
  readonly title: string;
  readonly items: readonly T[];
  readonly blank: T;
  readonly readOnly: boolean;
  readonly words: { readonly add: string; readonly remove: string };
  readonly onChange: (items: readonly T[]) => void;
  readonly children: (item: T, set: (part: Partial<T>) => void, at: number) => ReactNode;
}

/** Things of one kind, one below the other, of which some are added and taken out. */
export function Rows<T extends object>(props: RowsProps<T>): ReactElement {
  const { title, items, blank, readOnly, words, onChange, children } = props;
  return (
    <fieldset className="rows stack" disabled={readOnly}>
      <legend>{title}</legend>
      {items.map((item, at) => (
        <div key={at} className="row">
          {children(
            item,
            (part) => {
              onChange(items.map((one, index) => (index === at ? { ...one, ...part } : one)));
            },
            at,
          )}
          {!readOnly && (
            <Button
              look="bare"
              aria-label={`${words.remove} ${title} ${at + 1}`}
              onClick={() => {
                onChange(items.filter((_, index) => index !== at));
              }}
            >
              {words.remove}
            </Button>
          )}
        </div>
      ))}
      {!readOnly && (
        <div>
          <Button
            onClick={() => {
              onChange([...items, blank]);
            }}
          >
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** A text of a row, named by its column and place. */
export const Cell = ({
  label,
  value,
  code,
  onText,
}: {
  label: string;
  value: string;
  code?: boolean;
  onText: (text: string) => void;
}): ReactElement => (
  <input
    className={code === true ? 'input code' : 'input'}
    aria-label={label}
    placeholder={label}
    title={label}
    autoComplete="off"
    value={value}
    onChange={(event) => {
      onText(event.target.value);
    }}
  />
);
