import type { Communication, InvolvedParty } from './communication.js';

/** The members of a communication that a person may edit. */
export const editable = [
  ...(['codes', 'details', 'from', 'to', 'credit', 'debit', 'provision', 'proposal'] as const),
  'parties',
] as const;
export type Editable = (typeof editable)[number];

/** Some members with what stands in them from then on. */
export type CommunicationChange = Partial<Pick<Communication, Editable>>;

/** An edit as it is kept. */
export interface KeptEdit {
  readonly change: CommunicationChange;
  readonly reason: string;
}

/** Somebody involved as an edit names them: one that is there, by position, with what is different; or somebody new. */
export type EditedParty = Partial<InvolvedParty> & { readonly position: number | null };

/** The draft with all edits one after the other. */
export const withEdits = (draft: Communication, edits: readonly KeptEdit[]): Communication =>
  Object.assign({}, draft, ...edits.map(({ change }) => change)) as Communication;

/** The members that still are as they were drafted from what is stored. */
export const draftedMembers = (edits: readonly KeptEdit[]): Editable[] =>
  editable.filter((member) => edits.every(({ change }) => change[member] === undefined));

/** The people after an edit; null when it names a position that nobody has. */
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
