import type { SubjectRef } from '../../../platform/privacy/index.js';
import type { ListedValue, ListKind } from './lists/list-entry.js';
import type { Candidate } from './search/list-segment.js';
import type { NameKind } from './names/normalise.js';
import type { PartyRole } from './party-role.js';
import type { SubjectFacts } from './qualify.js';

/** A person or organisation to screen, and the keys under which a hit is kept. */
export interface Party {
  readonly role: PartyRole;
  readonly name: string | null;
  readonly kind: NameKind;
  readonly facts: SubjectFacts;
  /** Values compared exactly: document, account, wallet, device, address. */
  readonly values: readonly ListedValue[];
  /** The person whose key seals the explanation, and the key that hits about the same person share. */
  readonly subject: SubjectRef;
  readonly customerId: string | null;
  /** The customer who deals with this other person: a disposition holds for the two together. */
  readonly forCustomerId?: string | null;
  readonly transactionRef: string | null;
}

/** A list as an answer names it. */
export interface MatchedList {
  readonly id: string;
  readonly key: string;
  readonly kind: ListKind;
  readonly snapshotId: string | null;
}

/** An entry that a party may be. */
export interface Match extends Candidate {
  readonly party: Party;
  readonly list: MatchedList;
  /** The kinds of values that are equal; empty for a match by name. */
  readonly equal: readonly ListedValue['type'][];
}
