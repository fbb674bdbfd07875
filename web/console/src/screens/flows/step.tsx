import type { ReactElement } from 'react';
import { Field } from '../../parts/controls.js';
import { without } from '../../parts/without.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { written, type Step, type Tongue } from './data.js';
import { Documents, Inputs } from './inputs.js';
import { answersOf, OnlyIf } from './only-if.js';
import { flowsTexts } from './texts.js';

const FIELDS = ['TEXT', 'CPF', 'CNPJ', 'DATE', 'EMAIL', 'PHONE', 'CEP', 'COUNTRY', 'AMOUNT', 'SELECT'];
const QUESTIONS = ['BOOLEAN', 'SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'TEXT'];

interface StepEditorProps {
  readonly step: Step;
  readonly earlier: readonly Step[];
  readonly tongue: Tongue;
  readonly readOnly: boolean;
  readonly onChange: (step: Step) => void;
}

/** Edits one step and what it asks for. */
export function StepEditor({ step, earlier, tongue, readOnly, onChange }: StepEditorProps): ReactElement {
  const t = useTexts(flowsTexts);
  return (
    <section className="card stack">
      <h2>{word('stepType', step.type)}</h2>
      <fieldset className="bare stack" disabled={readOnly}>
        <div className="fields">
          <Field label={t.id}>
            {(given) => (
              <input
                {...given}
                className="code"
                value={step.id}
                onChange={(event) => {
                  onChange({ ...step, id: event.target.value });
                }}
              />
            )}
          </Field>
          <Field label={`${t.stepTitle} (${tongue})`}>
            {(given) => (
              <input
                {...given}
                value={step.title[tongue] ?? ''}
                onChange={(event) => {
                  onChange({ ...step, title: written(step.title, tongue, event.target.value) });
                }}
              />
            )}
          </Field>
          <label>
            <input
              type="checkbox"
              checked={step.required}
              onChange={(event) => {
                onChange({ ...step, required: event.target.checked });
              }}
            />{' '}
            {t.required}
          </label>
        </div>
        {step.text !== undefined && (
          <Field label={`${t.text} (${tongue})`}>
            {(given) => (
              <textarea
                {...given}
                value={step.text?.[tongue] ?? ''}
                onChange={(event) => {
                  onChange({
                    ...step,
                    text: written(step.text ?? { 'pt-BR': '' }, tongue, event.target.value),
                  });
                }}
              />
            )}
          </Field>
        )}
        {step.noticeVersion !== undefined && (
          <Field label={t.noticeVersion}>
            {(given) => (
              <input
                {...given}
                value={step.noticeVersion}
                onChange={(event) => {
                  onChange({ ...step, noticeVersion: event.target.value });
                }}
              />
            )}
          </Field>
        )}
        {step.fields !== undefined && (
          <Inputs
            title={t.fields}
            inputs={step.fields}
            types={FIELDS}
            tongue={tongue}
            readOnly={readOnly}
            onChange={(fields) => {
              onChange({ ...step, fields });
            }}
          />
        )}
        {step.questions !== undefined && (
          <Inputs
            title={t.questions}
            inputs={step.questions}
            types={QUESTIONS}
            tongue={tongue}
            readOnly={readOnly}
            earlier={earlier}
            onChange={(questions) => {
              onChange({ ...step, questions });
            }}
          />
        )}
        {step.acceptedDocuments !== undefined && (
          <Documents
            documents={step.acceptedDocuments}
            tongue={tongue}
            readOnly={readOnly}
            onChange={(acceptedDocuments) => {
              onChange({ ...step, acceptedDocuments });
            }}
          />
        )}
        <OnlyIf
          condition={step.showIf}
          answers={answersOf(earlier)}
          onChange={(showIf) => {
            onChange(showIf === null ? without(step, 'showIf') : { ...step, showIf });
          }}
        />
      </fieldset>
    </section>
  );
}
