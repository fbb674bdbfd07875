import type { Communication, InvolvedParty } from './communication.js';

/** The members of a communication that a person may edit. */
export const editable = [
  ...(['codes', 'details', 'from', 'to', 'credit', 'debit', 'provision', 'proposal'] as const),
  'parties',
] as const;
export type Editable = (typeof editable)[number];

/** The edited members with their new values. */
export type CommunicationChange = Partial<Pick<Communication, Editable>>;

/** An edit as it is kept. */
export interface StoredEdit {
  readonly change: CommunicationChange;
  readonly reason: string;
}

/** A party in an edit: an existing one by its position, with the members that change, or a new one. */
export type EditedParty = Partial<InvolvedParty> & { readonly position: number | null };

/** Applies all edits to the draft, one after the other. */
export const withEdits = (draft: Communication, edits: readonly StoredEdit[]): Communication =>
  Object.assign({}, draft, ...edits.map(({ change }) => change)) as Communication;

/** Returns the members that no edit has changed. */
export const draftedMembers = (edits: readonly StoredEdit[]): Editable[] =>
  editable.filter((member) => edits.every(({ change }) => change[member] === undefined));

/** Returns the parties after an edit; null when it names a position that does not exist. */
export function partiesAfter(
  before: readonly InvolvedParty[],
  edited: readonly EditedParty[],
  unknown: InvolvedParty,
): InvolvedParty[] | null {
  const after: InvolvedParty[] = [];
  for (const { position, ...said } of edited) {
    const base = position === null ? unknown : before[position - 1];
    if (!base) return null;
    after.push({ ...base, ...said });
  }
  return after;
}
