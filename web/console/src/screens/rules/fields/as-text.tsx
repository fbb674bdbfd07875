import { useState, type ReactElement } from 'react';
import { Field } from '../../../parts/controls.js';
import { useTexts } from '../../../texts/language.js';
import type { Draft } from '../data.js';
import type { FieldsProps } from './rule-fields.js';
import { fieldTexts } from './texts.js';

/** The whole rule as its text, for those who prefer it and for what has no field. */
export function AsText({ draft, readOnly, onChange }: FieldsProps): ReactElement {
  const t = useTexts(fieldTexts);
  const [text, setText] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  return (
    <details>
      <summary>{t.asText}</summary>
      <Field label={t.text} hint={t.textHint} fault={broken ? t.textBroken : null}>
        {(given) => (
          <textarea
            {...given}
            className="code tall"
            spellCheck={false}
            readOnly={readOnly}
            value={text ?? JSON.stringify(draft, null, 2)}
            onChange={(event) => {
              setText(event.target.value);
            }}
            onBlur={() => {
              if (text === null) return;
              try {
                onChange(JSON.parse(text) as Draft);
                setText(null);
                setBroken(false);
              } catch {
                setBroken(true);
              }
            }}
          />
        )}
      </Field>
    </details>
  );
}
