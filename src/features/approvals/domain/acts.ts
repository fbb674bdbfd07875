import { publicId, required, uuidOf, type IdPrefix } from '../../../platform/kernel/index.js';
import type { ActSheet } from '../../../platform/sheets/index.js';
import { sheetOf, subjectTypes, type ApprovalAction, type SubjectType } from '../../../sheets.js';

export type { ApprovalAction } from '../../../sheets.js';

/** The rules for an act that two people must agree on, as the sheet of its subject has them. */
export interface ApprovalPolicy extends Omit<ActSheet, 'id' | 'waitsHours' | 'livesDays'> {
  readonly id: IdPrefix;
  readonly waitsHours: number;
  readonly livesDays: number;
  /** The kind of object that the act changes. */
  readonly subject: SubjectType;
}

/**
 * The policy of each act that needs two people. Database triggers refuse each of these effects without an approved
 * request, except `fact.confirm`: a trigger cannot read an encrypted profile.
 */
export const acts = Object.fromEntries(
  subjectTypes.flatMap((subject) => {
    const { id, acts: own = {} } = sheetOf(subject);
    return Object.entries(own).map(([act, declared]): [string, ApprovalPolicy] => [
      act,
      {
        waitsHours: 0,
        livesDays: 14,
        ...declared,
        subject,
        id: required(declared.id ?? id, `the prefix of ${act}`),
      },
    ]);
  }),
) as Readonly<Record<ApprovalAction, ApprovalPolicy>>;

export const actNames = Object.keys(acts) as readonly ApprovalAction[];

export const policyOf = (act: ApprovalAction): ApprovalPolicy => acts[act];

/** Returns the public id of an act's object. */
export const subjectIdOf = (act: ApprovalAction, id: string): string => publicId(policyOf(act).id, id);

/** Parses a public id into the stored id; null if the id is not of the kind of object that the act changes. */
export const subjectUuidOf = (act: ApprovalAction, id: string): string | null => uuidOf(policyOf(act).id, id);

/**
 * Returns the path of the route that returns the object; null if no route returns it. `{name}` in a path is the value of
 * the request by that name, where the route does not take the id.
 */
export function subjectPathOf(
  act: ApprovalAction,
  id: string,
  after: Readonly<Record<string, unknown>>,
): string | null {
  const { path } = policyOf(act);
  if (path === undefined) return null;
  if (!path.includes('{')) return `${path}/${subjectIdOf(act, id)}`;
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = after[name];
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Error(`a request of ${act} has no ${name}`);
    }
    return encodeURIComponent(value);
  });
}
