import { registration } from '../../../platform/registry/index.js';
import type { Subject } from '../domain/entry.js';

/** The method names subjects of an organisation that everything else depends on; they are verified every 5 s. */
export const WatchedSubjects = registration<(organisationId: string) => Promise<readonly Subject[]>, string>(
  'watched subjects',
);
