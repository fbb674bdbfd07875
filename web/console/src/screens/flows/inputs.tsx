import type { ReactElement } from 'react';
import { Button } from '../../parts/controls.js';
import { without } from '../../parts/without.js';
import { useTexts } from '../../texts/language.js';
import { written, type Accepted, type Input, type Step, type Tongue } from './data.js';
import { answersOf, OnlyIf } from './only-if.js';
import { flowsTexts } from './texts.js';

const WITH_OPTIONS = ['SELECT', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE'];

/** The fields of a form, or the questions of a questionnaire. */
export function Inputs({
  title,
  inputs,
  types,
  tongue,
  readOnly,
  earlier,
  onChange,
}: {
  title: string;
  inputs: readonly Input[];
  types: readonly string[];
  tongue: Tongue;
  readOnly: boolean;
  earlier?: readonly Step[];
  onChange: (inputs: readonly Input[]) => void;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const set = (at: number, next: Input): void => {
    onChange(inputs.map((one, index) => (index === at ? next : one)));
  };
  return (
    <>
      <h3>{title}</h3>
      {inputs.map((input, at) => (
        <div key={at} className="flow-input stack">
          <div className="flow-input-row">
            <input
              className="input code"
              aria-label={`${t.id} ${at + 1}`}
              value={input.id}
              onChange={(event) => {
                set(at, { ...input, id: event.target.value });
              }}
            />
            <select
              className="input"
              aria-label={`${t.type} ${at + 1}`}
              value={input.type}
              onChange={(event) => {
                const type = event.target.value;
                const plain = without(input, 'options') as Input;
                set(at, {
                  ...plain,
                  type,
                  ...(WITH_OPTIONS.includes(type) && { options: input.options ?? [] }),
                });
              }}
            >
              {types.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <input
              className="input"
              aria-label={`${t.label} ${at + 1} (${tongue})`}
              value={input.label[tongue] ?? ''}
              onChange={(event) => {
                set(at, { ...input, label: written(input.label, tongue, event.target.value) });
              }}
            />
            <label className="small">
              <input
                type="checkbox"
                checked={input.required}
                onChange={(event) => {
                  set(at, { ...input, required: event.target.checked });
                }}
              />{' '}
              {t.required}
            </label>
            {!readOnly && (
              <Button
                look="bare"
                aria-label={`${t.remove} ${input.id}`}
                onClick={() => {
                  onChange(inputs.filter((_, index) => index !== at));
                }}
              >
                {t.remove}
              </Button>
            )}
          </div>
          {input.options !== undefined && (
            <Options
              options={input.options}
              tongue={tongue}
              onChange={(options) => {
                set(at, { ...input, options });
              }}
            />
          )}
          {earlier !== undefined && (
            <OnlyIf
              condition={input.showIf}
              answers={[...answersOf(earlier), ...inputs.slice(0, at).map(({ id }) => id)]}
              onChange={(showIf) => {
                set(at, showIf === null ? without(input, 'showIf') : { ...input, showIf });
              }}
            />
          )}
        </div>
      ))}
      {!readOnly && (
        <div>
          <Button
            onClick={() => {
              const type = types[0] ?? 'TEXT';
              const id = `answer${inputs.length + 1}`;
              onChange([...inputs, { id, type, label: { 'pt-BR': '' }, required: true }]);
            }}
          >
            {`${t.add}: ${title.toLowerCase()}`}
          </Button>
        </div>
      )}
    </>
  );
}

/** Choices as lines, so that they are typed and pasted at once; the labels of the other languages stay by their values. */
function Options({
  options,
  tongue,
  onChange,
}: {
  options: NonNullable<Input['options']>;
  tongue: Tongue;
  onChange: (options: NonNullable<Input['options']>) => void;
}): ReactElement {
  const t = useTexts(flowsTexts);
  return (
    <textarea
      className="input code"
      aria-label={t.options}
      title={t.options}
      rows={Math.max(2, options.length + 1)}
      defaultValue={options.map(({ value, label }) => `${value} = ${label[tongue] ?? ''}`).join('\n')}
      key={tongue}
      onBlur={(event) => {
        const lines = event.target.value.split('\n').filter((line) => line.trim() !== '');
        onChange(
          lines.map((line) => {
            const [value = '', ...rest] = line.split('=').map((part) => part.trim());
            const known = options.find((one) => one.value === value)?.label ?? { 'pt-BR': '' };
            return { value, label: written(known, tongue, rest.join('=')) };
          }),
        );
      }}
    />
  );
}

/** Kinds of document that a step takes. */
export function Documents({
  documents,
  tongue,
  readOnly,
  onChange,
}: {
  documents: readonly Accepted[];
  tongue: Tongue;
  readOnly: boolean;
  onChange: (documents: readonly Accepted[]) => void;
}): ReactElement {
  const t = useTexts(flowsTexts);
  const set = (at: number, next: Accepted): void => {
    onChange(documents.map((one, index) => (index === at ? next : one)));
  };
  return (
    <>
      <h3>{t.documents}</h3>
      {documents.map((document, at) => (
        <div key={at} className="flow-input-row">
          <input
            className="input code"
            aria-label={`${t.type} ${at + 1}`}
            value={document.type}
            onChange={(event) => {
              set(at, { ...document, type: event.target.value.toUpperCase() });
            }}
          />
          <select
            className="input"
            aria-label={`${t.sides} ${at + 1}`}
            value={document.sides.length > 1 ? 'BACK' : 'FRONT'}
            onChange={(event) => {
              set(at, { ...document, sides: event.target.value === 'BACK' ? ['FRONT', 'BACK'] : ['FRONT'] });
            }}
          >
            <option value="FRONT">{t.sideNames.FRONT}</option>
            <option value="BACK">{t.sideNames.BACK}</option>
          </select>
          <input
            className="input"
            aria-label={`${t.label} ${at + 1} (${tongue})`}
            value={document.label[tongue] ?? ''}
            onChange={(event) => {
              set(at, { ...document, label: written(document.label, tongue, event.target.value) });
            }}
          />
          {!readOnly && (
            <Button
              look="bare"
              aria-label={`${t.remove} ${document.type}`}
              onClick={() => {
                onChange(documents.filter((_, index) => index !== at));
              }}
            >
              {t.remove}
            </Button>
          )}
        </div>
      ))}
      {!readOnly && (
        <div>
          <Button
            onClick={() => {
              onChange([...documents, { type: 'CNH', label: { 'pt-BR': 'CNH' }, sides: ['FRONT', 'BACK'] }]);
            }}
          >
            {`${t.add}: ${t.documents.toLowerCase()}`}
          </Button>
        </div>
      )}
    </>
  );
}
