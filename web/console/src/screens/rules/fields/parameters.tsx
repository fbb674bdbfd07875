import { useState, type ReactElement } from 'react';
import { useTexts } from '../../../texts/language.js';
import { numberFrom } from '../../../texts/numbers.js';
import type { FieldsProps } from './rule-fields.js';
import { Cell, Rows } from './rows.js';
import { fieldTexts } from './texts.js';

const UNITS = ['', 'BRL', 'USD', 'MONEY', 'COUNT', 'DAYS', 'SCORE', 'PERCENT'] as const;

interface Parameter {
  readonly name: string;
  readonly value: unknown;
  readonly unit?: string;
  readonly label: { readonly 'pt-BR': string; readonly en: string };
}

/** Thresholds with a name, which the condition reads as `param.NAME`. */
export function Parameters({ draft, readOnly, onChange }: FieldsProps): ReactElement {
  const t = useTexts(fieldTexts);
  const items = Object.entries(draft.parameters ?? {}).map(([name, one]) => ({
    ...(one as Omit<Parameter, 'name'>),
    name,
  }));
  return (
    <Rows<Parameter>
      title={t.parameters}
      items={items}
      blank={{ name: `limit${items.length + 1}`, value: 0, label: { 'pt-BR': '', en: '' } }}
      readOnly={readOnly}
      words={{ add: t.addParameter, remove: t.remove }}
      onChange={(next) => {
        onChange({ parameters: Object.fromEntries(next.map(({ name, ...one }) => [name, one])) });
      }}
    >
      {({ name, value, unit = '', label }, set, at) => (
        <>
          <Cell
            code
            label={`${t.name} ${at + 1}`}
            value={name}
            onText={(text) => {
              set({ name: text });
            }}
          />
          <ValueCell
            label={`${t.value} ${at + 1}`}
            value={value}
            onValue={(next) => {
              set({ value: next });
            }}
          />
          <select
            className="input slim"
            aria-label={`${t.unit} ${at + 1}`}
            value={unit}
            onChange={(event) => {
              set({ unit: event.target.value });
            }}
          >
            {UNITS.map((one) => (
              <option key={one} value={one}>
                {t.units[one]}
              </option>
            ))}
          </select>
          <Cell
            label={`${t.labelPt} ${at + 1}`}
            value={label['pt-BR']}
            onText={(text) => {
              set({ label: { ...label, 'pt-BR': text } });
            }}
          />
          <Cell
            label={`${t.labelEn} ${at + 1}`}
            value={label.en}
            onText={(text) => {
              set({ label: { ...label, en: text } });
            }}
          />
        </>
      )}
    </Rows>
  );
}

/** A number as people write it, or a text; several with semicolons between them. */
function ValueCell({
  label,
  value,
  onValue,
}: {
  label: string;
  value: unknown;
  onValue: (value: unknown) => void;
}): ReactElement {
  const [text, setText] = useState(() => (Array.isArray(value) ? value : [value]).map(String).join('; '));
  return (
    <Cell
      label={label}
      value={text}
      onText={(typed) => {
        setText(typed);
        const values = typed.split(';').map((part) => {
          const number = numberFrom(part);
          return Number.isNaN(number) ? part.trim() : number;
        });
        onValue(Array.isArray(value) || values.length > 1 ? values : values[0]);
      }}
    />
  );
}
