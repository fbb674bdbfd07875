// The words everything else is written in: errors, ids, money, tax ids, time, canonical JSON.
// Promises to know no framework, no database and no feature.
export * from './clock.js';
export * from './csv.js';
export * from './digest.js';
export * from './domain-error.js';
export * from './error-codes.js';
export * from './exhaustive.js';
export * from './ids.js';
export * from './in-turns.js';
export * from './machine.js';
export * from './work-loop.js';
