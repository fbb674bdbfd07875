import type { ReactElement } from 'react';
import { Field } from '../../parts/controls.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { checks, type Flow, type Tongue } from './data.js';
import { flowsTexts } from './texts.js';

const OF_PROVIDERS: readonly string[] = ['DOCUMENT', 'FACE_MATCH', 'LIVENESS'];

/** Parts of a flow that belong to no step: its name, its times, and which checks its result needs. */
export function Settings({
  flow,
  tongue,
  readOnly,
  flowKey,
  onKey,
  onChange,
}: {
  flow: Flow;
  tongue: Tongue;
  readOnly: boolean;
  flowKey?: string;
  onKey?: (key: string) => void;
  onChange: (flow: Flow) => void;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const input = (
    label: string,
    value: string,
    onText: (text: string) => void,
    hint?: string,
  ): ReactElement => (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(given) => (
        <input
          {...given}
          readOnly={readOnly}
          value={value}
          onChange={(event) => {
            onText(event.target.value);
          }}
        />
      )}
    </Field>
  );
  const digits = (text: string): number => Number(text.replace(/\D/g, ''));
  return (
    <section className="card stack">
      <h2>{t.settings}</h2>
      <div className="fields">
        {onKey && input(t.key, flowKey ?? '', onKey, t.keyHint)}
        {input(`${t.name} (${tongue})`, flow.name[tongue] ?? '', (text) => {
          onChange({ ...flow, name: { ...flow.name, [tongue]: text } });
        })}
        {input(t.expires, String(flow.expiresInMinutes), (text) => {
          onChange({ ...flow, expiresInMinutes: digits(text) });
        })}
        {input(t.age, String(flow.minimumAge), (text) => {
          onChange({ ...flow, minimumAge: digits(text) });
        })}
      </div>
      <fieldset className="checks" disabled={readOnly}>
        <legend>{t.checks}</legend>
        {checks.map((check) => (
          <label key={check} {...(OF_PROVIDERS.includes(check) && { title: t.provider })}>
            <input
              type="checkbox"
              checked={flow.requiredChecks.includes(check)}
              onChange={(event) => {
                onChange({
                  ...flow,
                  requiredChecks: checks.filter((one) =>
                    one === check ? event.target.checked : flow.requiredChecks.includes(one),
                  ),
                });
              }}
            />{' '}
            {word('component', check)}
            {OF_PROVIDERS.includes(check) && ' *'}
          </label>
        ))}
        <p className="quiet small">
          {t.checksHint} * {t.provider}
        </p>
      </fieldset>
    </section>
  );
}
