import { registration } from '../../../platform/registry/index.js';
import type { Subject } from '../domain/entry.js';

/** Decorates a method that names subjects on which everything else depends; they are verified every 5 s. */
export const WatchedSubjects = registration<(organisationId: string) => Promise<readonly Subject[]>, string>(
  'watched subjects',
);
