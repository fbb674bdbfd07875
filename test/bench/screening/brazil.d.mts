/** A pair of names whose truth is known by construction. */
export interface NamePair {
  readonly family: string;
  readonly one: string;
  readonly two: string;
  readonly kind: 'PERSON' | 'ORGANISATION' | 'UNKNOWN';
  readonly match: boolean;
  /** True for the third of the pairs that is for looking at the end only. */
  readonly held: boolean;
}

export interface NameTables {
  readonly given: readonly string[];
  readonly family: readonly string[];
  /** True for two spellings of one name. */
  readonly isOneName: (one: string, other: string) => boolean;
}

export function brazilianPairs(seed: number, count: number, names: NameTables): NamePair[];
