import { subjectTypes, type Subject, type SubjectType } from './entry.js';
import type { TrailGap } from './trail.js';

/** The rows of a subject, by table: `<number of rows> <SHA-256 over their regulated columns>`. */
export type StateDigest = Readonly<Record<string, string>>;

/** Returns the id under which a subject has its state trail. */
export const stateTrailId = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  `${type}:${id}`;

/** Returns the subject whose rows a state trail is about; any other subject unchanged. */
export function subjectOfState(subject: Subject): Subject {
  if (subject.type !== 'state') return subject;
  const [kind = '', id = ''] = subject.id.split(':');
  return isSubjectType(kind) ? { type: kind, id } : subject;
}

const isSubjectType = (kind: string): kind is SubjectType =>
  (subjectTypes as readonly string[]).includes(kind);

/**
 * Compares the rows of a subject with the state that its last step bound.
 * @param rows digests of the current rows; null if the subject has no rows
 * @param left digests in the newest `state.bound` entry, whose number is `seq`; null if no such entry exists
 * @param linked tables whose rows primarily belong to another subject; a gap there is only a consequence
 */
export function stateGaps(
  rows: StateDigest | null,
  left: StateDigest | null,
  seq: number | null,
  linked: ReadonlySet<string> = new Set(),
): TrailGap[] {
  if (left === null) {
    if (rows === null) return [];
    return [{ kind: 'STATE_MISMATCH', seq: null, detail: 'no entry says what its last step left behind' }];
  }
  if (rows === null && Object.keys(left).length > 0) {
    return [
      { kind: 'MISSING', seq, detail: `its last step left ${formatCounts(left)}, of which nothing is there` },
    ];
  }
  const tables = [...new Set([...Object.keys(left), ...Object.keys(rows ?? {})])].sort();
  return tables
    .filter((table) => left[table] !== rows?.[table])
    .map((table) => {
      const [before, now] = [countOf(left[table]), countOf(rows?.[table])];
      const kind = now < before ? ('MISSING' as const) : ('STATE_MISMATCH' as const);
      const counts = before === now ? '' : `: ${before} rows then, ${now} now`;
      // The text contains the digest, so that an attestation of this gap does not cover a later change.
      const digest = formatDigest(rows?.[table]);
      const detail = `${table} is not what the last step left behind${counts}${digest}`;
      return { kind, seq, detail, table, ...(linked.has(table) && { linked: true }) };
    });
}

const countOf = (digest: string | undefined): number => Number(digest?.split(' ')[0] ?? 0);

const DIGITS = 12;

const formatDigest = (digest: string | undefined): string =>
  digest === undefined ? '' : ` (sha256 ${digest.split(' ')[1]?.slice(0, DIGITS) ?? ''}…)`;

const formatCounts = (state: StateDigest): string =>
  Object.entries(state)
    .map(([table, digest]) => `${countOf(digest)} of ${table}`)
    .join(', ');
