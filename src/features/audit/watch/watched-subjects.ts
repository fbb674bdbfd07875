import { registration } from '../../../platform/registry/index.js';
import type { Subject } from '../domain/entry.js';

/** The method names the subjects of an organisation that everything else rests on: they are judged every few seconds. */
export const WatchedSubjects = registration<(organisationId: string) => Promise<readonly Subject[]>, string>(
  'watched subjects',
);
