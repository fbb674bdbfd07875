import { lazy } from 'react';

/** The editor and its library come when a condition is shown: a list of rules does without. */
export const ConditionEditor = lazy(() =>
  import('./editor.js').then((part) => ({ default: part.ConditionEditor })),
);
