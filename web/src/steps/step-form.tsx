import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isSavedElsewhere, keysOf } from '../answers.js';
import { useTexts } from '../texts/language.js';
import type { Texts } from '../texts/pt.js';
import { ErrorSummary, type Fault } from '../parts/error-summary.js';
import { Heading } from '../parts/heading.js';
import { Icon } from '../parts/icons.js';
import { isUploadStep } from '../uploads/uploads.js';
import type { StepProps } from './step-props.js';

/** Shows what whoever made the session has answered as if it were typed, so that the person sees it and sends it. */
export function usePrefilled(
  { step, drafts, onDraft }: Pick<StepProps, 'step' | 'drafts' | 'onDraft'>,
  inputs: readonly { readonly id: string; readonly prefilledValue?: string | boolean }[],
): void {
  useEffect(() => {
    // Once the person has sent the step, their own answers stand.
    if (step.attempts > 0) return;
    for (const { id, prefilledValue } of inputs) {
      if (prefilledValue !== undefined && drafts[id] === undefined) onDraft(id, prefilledValue);
    }
  }, [inputs.map(({ id }) => id).join()]);
}

/** Says which inputs somebody else has answered: those that need no answer, and those shown until the person has sent them. */
export function prefilledHint(
  texts: Texts,
  { attempts }: Pick<StepProps['step'], 'attempts'>,
  { prefilled, prefilledValue }: { readonly prefilled?: boolean; readonly prefilledValue?: string | boolean },
): string | null {
  if (prefilled !== true) return null;
  if (prefilledValue === undefined) return texts.prefilled.known;
  return attempts === 0 ? texts.prefilled.shown : null;
}

/** The frame of a step: heading, what is wrong, the inputs, and the ways on and back. */
export function StepForm({
  props,
  faults,
  skippable = false,
  initialAttempt = 0,
  children,
}: {
  readonly props: StepProps;
  /** The faults that keep the person from going on; shown from the first attempt on. */
  readonly faults: readonly Fault[];
  readonly skippable?: boolean;
  readonly initialAttempt?: number;
  /** `settle` takes the list of faults away: the person has begun to put them right. */
  readonly children: (attempted: boolean, settle: () => void) => ComponentChildren;
}): VNode {
  const texts = useTexts();
  const [attempt, setAttempt] = useState(initialAttempt);
  const [busy, setBusy] = useState(false);
  const saved = keysOf(props.step).length > 0 && isSavedElsewhere(props.step, props.drafts);
  const open = saved || props.preview ? [] : faults;
  const goOn = async (): Promise<void> => {
    if (busy) return;
    if (open.length > 0) {
      setAttempt(attempt + 1);
      return;
    }
    setBusy(true);
    const taken = await props.onDone();
    setBusy(false);
    if (!taken) setAttempt(attempt + 1);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void goOn();
      }}
    >
      <Heading quiet={props.quiet}>{props.step.title}</Heading>
      {attempt > 0 && <ErrorSummary faults={open} attempt={attempt} />}
      {saved && <p class="saved">{texts.saved}</p>}
      {props.step.lastRejection && !isUploadStep(props.step) && (
        <p class="warning">
          <Icon name="alert" />
          {props.step.lastRejection.message}
        </p>
      )}
      {children(attempt > 0 && !saved, () => {
        setAttempt(0);
      })}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={busy}>
          {texts.next}
        </button>
        {skippable && (
          <button type="button" onClick={props.onSkip}>
            {texts.skip}
          </button>
        )}
        {!props.first && (
          <button type="button" class="link back" onClick={props.onBack}>
            <Icon name="arrow" />
            {texts.back}
          </button>
        )}
      </div>
    </form>
  );
}
