import { part } from '../../parts/part.js';

/** The editor and its library come when a condition is shown: a list of rules does without. */
export const ConditionEditor = part(() => import('./editor.js').then((one) => one.ConditionEditor), 6);
