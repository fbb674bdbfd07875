import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem, type Step } from '../api.js';
import { useTexts } from '../texts/language.js';
import { Heading } from '../parts/heading.js';
import type { Answered } from '../parts/answered.js';
import { Icon } from '../parts/icons.js';

type Failure = 'OFFLINE' | 'UNAVAILABLE' | 'LIMITED' | 'REFUSED';

/** The last look before sending: what will be sent, step by step. */
export function SummaryStep({
  steps,
  isDone,
  isSavedElsewhere,
  answeredIn,
  onReview,
  onSend,
  onBack,
}: {
  readonly steps: readonly Step[];
  readonly isDone: (step: Step) => boolean;
  /** Whether the answers are only with the service, which does not show them again. */
  readonly isSavedElsewhere: (step: Step) => boolean;
  readonly answeredIn: (step: Step) => readonly Answered[];
  readonly onReview: (step: Step) => void;
  /** Resolves when it is over, one way or another; rejects when it can be tried again. */
  readonly onSend: () => Promise<void>;
  readonly onBack: () => void;
}): VNode {
  const texts = useTexts();
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const warning = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (failure !== null) warning.current?.focus();
  }, [failure]);

  const send = async (): Promise<void> => {
    if (sending) return;
    setSending(true);
    setFailure(null);
    try {
      await onSend();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { kind } = error;
      setFailure(kind === 'OFFLINE' || kind === 'UNAVAILABLE' || kind === 'LIMITED' ? kind : 'REFUSED');
    } finally {
      setSending(false);
    }
  };

  const stateOf = (step: Step, answered: readonly Answered[]): string => {
    const { done, skipped, elsewhere } = texts.summary;
    if (!isDone(step)) return skipped;
    return isSavedElsewhere(step) && answered.length === 0 ? elsewhere : done;
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Heading>{texts.summary.title}</Heading>
      {failure !== null && (
        <p class="warning" role="alert" tabIndex={-1} ref={warning}>
          <Icon name="alert" />
          {texts.summary.failed[failure]}
        </p>
      )}
      <p class="text">{texts.summary.body}</p>
      <ul class="review">
        {steps
          .filter(({ type }) => type !== 'INFO')
          .map((step) => ({ step, answered: answeredIn(step) }))
          .map(({ step, answered }) => (
            <li key={step.id}>
              <span class={isDone(step) ? 'mark done' : 'mark'}>{isDone(step) && <Icon name="check" />}</span>
              <div class="name">
                {step.title}
                <span class="state">{stateOf(step, answered)}</span>
                {answered.length > 0 && (
                  <dl>
                    {answered.map(({ label, text }) => (
                      <div key={label}>
                        <dt>{label}</dt>
                        <dd>{text}</dd>
                      </div>
                    ))}
                  </dl>
                )}
              </div>
              <button
                type="button"
                class="link"
                onClick={() => {
                  onReview(step);
                }}
              >
                {texts.summary.change}
                <span class="unseen">: {step.title}</span>
              </button>
            </li>
          ))}
      </ul>
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={sending}>
          {sending ? texts.summary.sending : texts.summary.send}
        </button>
        <button type="button" class="link back" onClick={onBack}>
          <Icon name="arrow" />
          {texts.back}
        </button>
      </div>
      <p class="unseen" role="status">
        {sending ? texts.summary.sending : ''}
      </p>
    </form>
  );
}
