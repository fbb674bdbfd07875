import type { VNode } from 'preact';
import { Paragraphs } from '../parts/paragraphs.js';
import { StepForm } from './step-form.js';
import type { StepProps } from './step-props.js';

export function InfoStep(props: StepProps): VNode {
  return (
    <StepForm props={props} faults={[]}>
      {() => <Paragraphs text={props.step.text ?? ''} />}
    </StepForm>
  );
}
