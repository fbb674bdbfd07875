import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Problem, sendCode } from '../api.js';
import { Labelled } from '../parts/field.js';
import { useLanguage, useTexts } from '../texts/language.js';
import { StepForm } from './step-form.js';
import type { StepProps } from './step-props.js';

/** A code that is sent to an address that was given before. */
export function CodeStep(props: StepProps): VNode {
  const texts = useTexts();
  const language = useLanguage();
  const { step, sessionId } = props;
  const [told, setTold] = useState<'sent' | 'failed' | null>(null);
  const draft = props.drafts[step.id];
  const text = typeof draft === 'string' ? draft : '';
  const refused = props.refused[step.id];
  const fault = refused !== undefined ? texts.code.wrong : text.trim() === '' ? texts.code.missing : null;
  const send = async (): Promise<void> => {
    try {
      await sendCode(sessionId, step.id, language);
      setTold('sent');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === 'EXPIRED' || error.kind === 'CONFLICT') props.onOver(error);
      else setTold('failed');
    }
  };
  return (
    <StepForm
      props={props}
      faults={fault === null ? [] : [{ at: 'input-code', text: fault }]}
      initialAttempt={refused === undefined ? 0 : 1}
    >
      {(attempted) => (
        <>
          <p class="lead">{texts.code.intro[step.channel ?? 'EMAIL']}</p>
          <button
            type="button"
            onClick={() => {
              void send();
            }}
          >
            {told === 'sent' ? texts.code.again : texts.code.send}
          </button>
          {told !== null && <p role="status">{texts.code[told]}</p>}
          <Labelled
            id="input-code"
            label={texts.code.label}
            fault={attempted ? fault : null}
            optional={false}
          >
            {(joined) => (
              <input
                {...joined}
                class="short"
                type="text"
                inputMode="numeric"
                autoComplete="one-time-code"
                value={text}
                onInput={(event) => {
                  const { value } = event.currentTarget;
                  props.onDraft(step.id, value === '' ? undefined : value);
                }}
              />
            )}
          </Labelled>
        </>
      )}
    </StepForm>
  );
}
