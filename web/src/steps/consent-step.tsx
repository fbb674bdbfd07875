import type { VNode } from 'preact';
import { isSavedElsewhere } from '../answers.js';
import { useTexts } from '../texts/language.js';
import { Choice, FaultText } from '../parts/field.js';
import { Paragraphs } from '../parts/paragraphs.js';
import { StepForm } from './step-form.js';
import type { StepProps } from './step-props.js';

export function ConsentStep(props: StepProps): VNode {
  const texts = useTexts();
  const { step, drafts } = props;
  const id = `input-${step.id}`;
  const accepted = drafts[step.id] === true || isSavedElsewhere(step, drafts);
  const fault = accepted || !step.required ? null : texts.errors.CONSENT_MISSING;
  return (
    <StepForm
      props={props}
      faults={fault === null ? [] : [{ at: id, text: fault }]}
      initialAttempt={props.refused[step.id] === undefined ? 0 : 1}
    >
      {(attempted) => (
        <>
          <div class="notice-text">
            <Paragraphs text={step.text ?? ''} />
          </div>
          <div class={attempted && fault !== null ? 'field faulty' : 'field'}>
            {attempted && fault !== null && <FaultText id={`${id}-fault`} text={fault} />}
            <Choice
              id={id}
              type="checkbox"
              name={step.id}
              label={texts.consent}
              checked={accepted}
              faultId={attempted && fault !== null ? `${id}-fault` : undefined}
              onChange={(checked) => {
                props.onDraft(step.id, checked ? true : undefined);
              }}
            />
          </div>
        </>
      )}
    </StepForm>
  );
}
