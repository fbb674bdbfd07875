// Owns made-up streams with patterns of laundering and fraud. Promises that a seed gives the same events and labels.
export { printRecall } from './recall.js';
export {
  labelsIn,
  LabelledEvaluation,
  riskProfilesIn,
  writeStream,
  type StreamOptions,
} from './stream-files.js';
