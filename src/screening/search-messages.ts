import type { Candidate, ListTerms, PackedSegment, Question } from './domain/list-segment.js';

/** One entry as a builder thread takes it: `content` is the JSON of a `ListEntry`. */
export interface BuilderRow {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly content: string;
}

export type BuilderMessage =
  { readonly kind: 'rows'; readonly rows: readonly BuilderRow[] } | { readonly kind: 'end' };
export type BuilderAnswer =
  { readonly kind: 'taken' } | { readonly kind: 'built'; readonly segment: PackedSegment };

export interface AskedList {
  readonly id: string;
  readonly terms: ListTerms;
}

export type SearchMessage = { readonly id: number } & (
  | { readonly kind: 'replace' | 'append'; readonly list: string; readonly segment: PackedSegment }
  | { readonly kind: 'bury'; readonly list: string; readonly ids: readonly string[] }
  | { readonly kind: 'drop'; readonly list: string }
  | {
      readonly kind: 'ask';
      readonly questions: readonly Question[];
      readonly lists: readonly AskedList[];
      readonly limit: number;
    }
);

export type SearchAnswer =
  | { readonly kind: 'done'; readonly id: number }
  /** By question, then by list, in the order asked. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly found: readonly (readonly (readonly Candidate[])[])[];
    };
