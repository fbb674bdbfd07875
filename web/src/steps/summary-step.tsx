import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem, type Step } from '../api.js';
import { useTexts } from '../texts/language.js';
import { Heading } from '../parts/heading.js';
import { Icon } from '../parts/icons.js';

type Failure = 'OFFLINE' | 'UNAVAILABLE' | 'LIMITED' | 'REFUSED';

/** The last look before sending: which steps are done, without what was answered. */
export function SummaryStep({
  steps,
  isDone,
  onReview,
  onSend,
  onBack,
}: {
  readonly steps: readonly Step[];
  readonly isDone: (step: Step) => boolean;
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
          .map((step) => (
            <li key={step.id}>
              <span class={isDone(step) ? 'mark done' : 'mark'}>{isDone(step) && <Icon name="check" />}</span>
              <span class="name">
                {step.title}
                <span class="state">{isDone(step) ? texts.summary.done : texts.summary.skipped}</span>
              </span>
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
