import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { asProblem } from '../api/problem.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/language.js';
import { Button } from './controls.js';
import { failureText } from './failure-text.js';
import { say } from './toasts.js';

/** Stands where something will be; a quick answer never shows it (see parts.css). */
export function Skeleton({ lines = 6 }: { lines?: number }): ReactElement {
  const t = useTexts(common);
  return (
    <div className="skeleton" role="status" aria-label={t.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

// Their details say the same words again.
const TOLD_WHOLE: ReadonlySet<string> = new Set([
  'BACKTEST_MISSING',
  'MANDATORY_REVIEW_OPEN',
  'RELATED_TRANSACTIONS_OPEN',
]);

/** Says why a call failed, with what support needs to find it. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }): ReactElement {
  const t = useTexts(common);
  const problem = asProblem(error);
  const { code, details, requestId, retryAfterSeconds } = problem;
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{failureText(problem, t)}</strong>
        {retryAfterSeconds !== null && ` ${t.waitSeconds(retryAfterSeconds)}`}
      </p>
      {details.length > 0 && !TOLD_WHOLE.has(code) && (
        <ul className="small">
          {details.map((one, at) => (
            <li key={at}>
              {one.path !== '' && <code>{one.path}</code>} {one.message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== null && (
        <p className="small">
          {t.requestId}: <code>{requestId}</code>{' '}
          <Button
            look="bare"
            onClick={() => {
              void navigator.clipboard.writeText(requestId).then(() => {
                say(t.copied);
              });
            }}
          >
            {t.copy}
          </Button>
        </p>
      )}
      {retry && <Button onClick={retry}>{t.retry}</Button>}
    </div>
  );
}

interface AskedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}

/** The answer of a query, or its skeleton, or why there is none. An old answer stays when a new one fails. */
export function Asked<T>({ query, lines, children }: AskedProps<T>): ReactNode {
  const { data, error } = query;
  if (data !== undefined) {
    return (
      <>
        {error !== null && <Failure error={error} retry={() => void query.refetch()} />}
        {children(data)}
      </>
    );
  }
  if (error !== null) return <Failure error={error} retry={() => void query.refetch()} />;
  return <Skeleton {...(lines !== undefined && { lines })} />;
}

/** Stands where nothing is, and says why that is so and what would bring something here. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }): ReactElement => (
  <div className="empty">
    <h2>{title}</h2>
    {children !== undefined && <div className="quiet">{children}</div>}
  </div>
);
