import { Foundation1763600000001 } from './0001-foundation.js';

/** Every migration, in the order it runs. */
export const migrations = [Foundation1763600000001];
