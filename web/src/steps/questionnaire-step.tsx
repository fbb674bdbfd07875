import type { VNode } from 'preact';
import type { Question } from '../api.js';
import { questionFault, visibleQuestions } from '../answers.js';
import type { StepAnswer } from '../conditions.js';
import { useTexts } from '../texts/language.js';
import { Choice, Group, Labelled } from '../parts/field.js';
import { prefilledHint, StepForm, usePrefilled } from './step-form.js';
import type { StepProps } from './step-props.js';

export function QuestionnaireStep(props: StepProps): VNode {
  const texts = useTexts();
  const questions = visibleQuestions(props.step, props.answers, props.drafts);
  usePrefilled(props, questions);
  const faultOf = (question: Question): string | null => {
    const code = questionFault(question, props.drafts[question.id]) ?? props.refused[question.id];
    if (code === undefined) return null;
    if (code === 'TOO_LONG') return texts.errors.TOO_LONG;
    return question.type === 'TEXT' ? texts.errors.REQUIRED : texts.errors.REQUIRED_CHOICE;
  };
  const faults = questions.flatMap((question) => {
    const text = faultOf(question);
    return text === null ? [] : [{ at: firstInput(question), text: `${question.label} ${text}` }];
  });
  return (
    <StepForm
      props={props}
      faults={faults}
      initialAttempt={questions.some(({ id }) => props.refused[id] !== undefined) ? 1 : 0}
    >
      {(attempted) => (
        // A question that an answer brings up appears right below it; nothing above moves.
        <div aria-live="polite" aria-relevant="additions">
          {questions.map((question) => (
            <QuestionInput
              key={question.id}
              question={question}
              step={props.step}
              draft={props.drafts[question.id]}
              fault={attempted ? faultOf(question) : null}
              onDraft={(value) => {
                props.onDraft(question.id, value);
              }}
            />
          ))}
        </div>
      )}
    </StepForm>
  );
}

const inputId = (question: Question): string => `input-${question.id}`;

const choicesOf = (
  question: Question,
  yes: string,
  no: string,
): { value: StepAnswer; key: string; label: string }[] =>
  question.type === 'BOOLEAN'
    ? [
        { value: true, key: 'yes', label: yes },
        { value: false, key: 'no', label: no },
      ]
    : question.options.map(({ value, label }) => ({ value, key: value, label }));

/** The input that a fault leads to: the only one, or the first choice. */
function firstInput(question: Question): string {
  if (question.type === 'TEXT') return inputId(question);
  const [first] = choicesOf(question, '', '');
  return `${inputId(question)}-${first?.key ?? ''}`;
}

function QuestionInput({
  question,
  step,
  draft,
  fault,
  onDraft,
}: {
  readonly question: Question;
  readonly step: StepProps['step'];
  readonly draft: StepAnswer | undefined;
  readonly fault: string | null;
  readonly onDraft: (value: StepAnswer | undefined) => void;
}): VNode {
  const texts = useTexts();
  const { hints } = texts;
  const id = inputId(question);
  const hint = prefilledHint(texts, step, question);
  if (question.type === 'TEXT') {
    return (
      <Labelled id={id} label={question.label} hint={hint} fault={fault} optional={!question.required}>
        {(joined) => (
          <textarea
            {...joined}
            name={question.id}
            rows={3}
            value={typeof draft === 'string' ? draft : ''}
            aria-required={question.required}
            onInput={(event) => {
              onDraft(event.currentTarget.value === '' ? undefined : event.currentTarget.value);
            }}
          />
        )}
      </Labelled>
    );
  }
  const several = question.type === 'MULTIPLE_CHOICE';
  const chosen = Array.isArray(draft) ? (draft as readonly string[]) : [];
  return (
    <Group
      id={id}
      legend={question.label}
      hint={[several && hints.several, hint].filter(Boolean).join(' ')}
      fault={fault}
      optional={!question.required}
    >
      {choicesOf(question, hints.yes, hints.no).map(({ value, key, label }) => (
        <Choice
          key={key}
          id={`${id}-${key}`}
          type={several ? 'checkbox' : 'radio'}
          name={question.id}
          label={label}
          checked={several ? chosen.includes(key) : draft === value}
          faultId={fault === null ? undefined : `${id}-fault`}
          onChange={(checked) => {
            if (!several) onDraft(value);
            else onDraft(checked ? [...chosen, key] : chosen.filter((one) => one !== key));
          }}
        />
      ))}
    </Group>
  );
}
