import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useTexts } from '../texts/language.js';

export interface Fault {
  /** The id of the input that it is about. */
  readonly at: string;
  readonly text: string;
}

/** Lists the faults, with a way to each; takes the focus each time that somebody tries to go on. */
export function ErrorSummary({
  faults,
  attempt,
}: {
  readonly faults: readonly Fault[];
  readonly attempt: number;
}): VNode | null {
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (faults.length === 0) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} ref={box} aria-labelledby="summary-title">
      <h2 id="summary-title">{texts.errors.title(faults.length)}</h2>
      <ul>
        {faults.map(({ at, text }) => (
          <li key={at}>
            <a
              href={`#${at}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(at)?.focus();
              }}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
