import type { SubjectRef } from '../../../platform/privacy/index.js';
import type { ListedValue, ListKind } from './lists/list-entry.js';
import type { Candidate } from './search/list-segment.js';
import type { NameKind } from './names/normalise.js';
import type { PartyRole } from './party-role.js';
import type { SubjectFacts } from './qualify.js';

/** A person or organisation to screen, with the keys under which a hit is stored. */
export interface ScreenedParty {
  readonly role: PartyRole;
  readonly name: string | null;
  readonly kind: NameKind;
  readonly facts: SubjectFacts;
  /** Values compared exactly: document, account, wallet, device, address. */
  readonly values: readonly ListedValue[];
  /** The person whose data key encrypts the explanation of a hit. Hits about the same person share this subject. */
  readonly subject: SubjectRef;
  readonly customerId: string | null;
  /** The customer on the other side of the transaction: a disposition applies to this pair only. */
  readonly forCustomerId?: string | null;
  readonly transactionRef: string | null;
}

export interface MatchedList {
  readonly id: string;
  readonly key: string;
  readonly kind: ListKind;
  readonly snapshotId: string | null;
}

/** A list entry that may be the party. */
export interface Match extends Candidate {
  readonly party: ScreenedParty;
  readonly list: MatchedList;
  /** The kinds of values that are equal; empty for a match by name. */
  readonly equal: readonly ListedValue['type'][];
  /** True if one operator alone added the entry; set only for matches by value. */
  readonly isOfOne?: boolean;
}
