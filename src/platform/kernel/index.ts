// Owns the values that every module shares: errors, ids, money, tax ids, time, canonical JSON. Promises to depend on no
// framework, no database and no feature.
export * from './work/async-scope.js';
export * from './work/batcher.js';
export * from './work/event-loop-share.js';
export * from './clock.js';
export * from './count-of.js';
export * from './csv/csv.js';
export * from './values/did-you-mean.js';
export * from './values/digest.js';
export * from './domain-error.js';
export * from './error-codes.js';
export * from './failure.js';
export * from './exhaustive.js';
export * from './ids.js';
export * from './work/fair-queue.js';
export * from './work/in-turns.js';
export * from './work/shared-turns.js';
export * from './machine.js';
export * from './pick.js';
export * from './values/packing.js';
export * from './values/made-up-tax-ids.js';
export * from './present.js';
export * from './work/work-loop.js';
