import type { Communication, InvolvedParty } from './communication.js';

/** The fields of a communication that a person may edit. */
export const editable = [
  ...(['codes', 'details', 'from', 'to', 'credit', 'debit', 'provision', 'proposal'] as const),
  'parties',
] as const;
export type EditableField = (typeof editable)[number];

/** The edited fields with their new values. */
export type CommunicationChange = Partial<Pick<Communication, EditableField>>;

export interface StoredEdit {
  readonly change: CommunicationChange;
  readonly reason: string;
}

/** A party in an edit: changes to the existing party at `position`, or a new party if `position` is null. */
export type EditedParty = Partial<InvolvedParty> & { readonly position: number | null };

/** Applies the edits to the draft in order. */
export const withEdits = (draft: Communication, edits: readonly StoredEdit[]): Communication =>
  Object.assign({}, draft, ...edits.map(({ change }) => change)) as Communication;

/** Returns the fields that nobody has edited. */
export const uneditedFields = (edits: readonly StoredEdit[]): EditableField[] =>
  editable.filter((member) => edits.every(({ change }) => change[member] === undefined));

/** Returns the parties after an edit; null if the edit names a position that does not exist. */
export function applyPartyEdits(
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
