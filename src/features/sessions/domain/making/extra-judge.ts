import { EXTRA_LIMITS, isListedRedirect, type SessionExtras } from './extras.js';
import { validateAnswers } from '../flow/answers.js';
import type { FlowDefinition } from '../flow/flow.js';
import type { AnswerProblem } from '../flow/inputs.js';

/** Validates the extras of a new session. Messages never contain a value. */
export function validateExtras(
  { redirectUrl, metadata, prefill }: SessionExtras,
  flow: FlowDefinition,
  listed: readonly string[],
  today: string,
): readonly AnswerProblem[] {
  // Consents and codes cannot be prefilled: only the person can consent, and a code proves nothing if somebody else
  // types it.
  const ownSteps = flow.steps.filter(({ type }) => type === 'CONSENT' || type === 'ONE_TIME_CODE');
  return [
    ...(redirectUrl === null || isListedRedirect(redirectUrl, listed)
      ? []
      : [
          {
            path: 'redirectUrl',
            code: 'NOT_LISTED',
            message: 'The application has not listed this address among its redirectUrls.',
          },
        ]),
    ...judgeMetadata(metadata),
    ...validateAnswers(flow, prefill, today, 'prefill'),
    ...ownSteps
      .filter(({ id }) => prefill[id] !== undefined)
      .map(({ id }) => ({
        path: `prefill.${id}`,
        code: 'VALUE_NOT_ALLOWED',
        message: 'Only the person can answer this.',
      })),
  ];
}

function judgeMetadata(metadata: Readonly<Record<string, unknown>>): AnswerProblem[] {
  const { metadataKeys, metadataKey, metadataValue } = EXTRA_LIMITS;
  const entries = Object.entries(metadata);
  if (entries.length > metadataKeys) {
    return [{ path: 'metadata', code: 'TOO_MANY_ITEMS', message: `Must have at most ${metadataKeys} keys.` }];
  }
  return entries.flatMap(([key, value]) => {
    const path = `metadata.${/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(key) ? key : '?'}`;
    if (key.length > metadataKey || path.endsWith('?')) {
      return [
        { path, code: 'PATTERN_MISMATCH', message: 'Keys are letters, digits, hyphens and underscores.' },
      ];
    }
    if (typeof value !== 'string') return [{ path, code: 'TYPE_INVALID', message: 'Must be a string.' }];
    return value.length > metadataValue
      ? [{ path, code: 'TOO_LONG', message: `Must have at most ${metadataValue} characters.` }]
      : [];
  });
}
