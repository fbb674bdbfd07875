import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfUuid, EntryTableBuilder } from './entry-table.js';
import { IndexBuilder } from './index-builder.js';
import type { KeptMatches } from './kept-matches.js';
import { ListSegment, type Candidate } from './list-segment.js';
import type { ListEntry, ListKind } from '../lists/list-entry.js';
import { parseNameQuery } from '../names/name-query.js';
import { defaultThresholds, type SubjectFacts } from '../qualify.js';
import { runsInPart } from '../../../../../test/support/needs.js';

const DAY = '2026-11-20';
const OWN_CPF = '52998224725';
const ANOTHER_CPF = '11144477735';
const NOBODY: SubjectFacts = { document: null, visibleDigits: null, birthDate: null, nationalities: [] };
const WITH_CPF: SubjectFacts = { ...NOBODY, document: OWN_CPF, visibleDigits: OWN_CPF.slice(3, 9) };

const entryOf = (names: readonly string[], more: Partial<ListEntry> = {}): ListEntry => ({
  ...{ key: 'e', kind: 'PERSON', names, values: [], maskedDocument: null, birthDates: [], countries: [] },
  ...{ validFrom: null, validUntil: null, remarks: null },
  ...more,
});
const withCpf = { values: [{ type: 'DOCUMENT', value: ANOTHER_CPF }] } as const;

function segmentOf(entries: readonly ListEntry[]): ListSegment {
  const names = new IndexBuilder();
  const table = new EntryTableBuilder();
  entries.forEach((entry, i) => {
    const id = `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;
    const number = table.add(id, bytesOfUuid(id), entry);
    for (const name of entry.names) names.add(name, entry.kind, number);
  });
  return new ListSegment({ index: names.build(), entries: table.build() });
}

const find = (
  entries: readonly ListEntry[],
  paid: string,
  facts: SubjectFacts,
  kind: ListKind = 'SANCTIONS',
): KeptMatches<Candidate> =>
  segmentOf(entries).find(
    parseNameQuery(paid, 'PERSON'),
    { name: paid, kind: 'PERSON', facts, day: DAY },
    { kind, thresholds: defaultThresholds[kind] },
    10,
  );

/** True if the list holds a payment: a person has to decide, or the result is incomplete. */
const holds = ({ candidates, isCut }: KeptMatches<Candidate>): boolean =>
  isCut || candidates.some(({ mandatory }) => mandatory);

/** All orders of some words. */
const ordersOf = (words: readonly string[]): string[][] =>
  words.length < 2
    ? [[...words]]
    : words.flatMap((word, i) => ordersOf(words.toSpliced(i, 1)).map((rest) => [word, ...rest]));

const LISTED = 'Zenobio Quaresma Tavares Ficticio';
const PAID = 'Zenobio Quaresma Tavarez Fictisio';
const WORDS = [
  ...new Set([...LISTED.split(' '), ...PAID.split(' '), 'Zenobioquaresma', 'Zeno', 'Bio', 'Tava']),
];

describe('Adding entries to a list', () => {
  it('of dozens of permutations with another CPF, it still names whom it named', () => {
    const before = [entryOf([LISTED])];
    expect(find(before, PAID, WITH_CPF)).toMatchObject({ isCut: false, candidates: [{ mandatory: true }] });
    const added = ordersOf(PAID.split(' ')).map((words) => entryOf([words.join(' ')], withCpf));
    const { candidates, isCut } = find([...before, ...added], PAID, WITH_CPF);
    expect(isCut).toBe(false);
    expect(candidates[0]).toMatchObject({ mandatory: true, name: LISTED.toLowerCase() });
    expect(candidates.map(({ mandatory }) => mandatory)).toEqual([true, ...Array<boolean>(10).fill(false)]);
  });

  it('never turns a hold into a release, whatever their names, documents, dates and offices', () => {
    const name = fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' '));
    const added = fc.record({
      names: fc.array(name, { minLength: 1, maxLength: 2 }),
      values: fc.constantFrom([], withCpf.values),
      maskedDocument: fc.constantFrom(null, OWN_CPF.slice(3, 9), '000000'),
      birthDates: fc.constantFrom([], ['1950-01-01'], ['1990-01-01']),
      countries: fc.constantFrom([], ['BR'], ['IR']),
      validUntil: fc.constantFrom(null, '2026-11-19'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom<ListKind>('SANCTIONS', 'PEP', 'BLOCKLIST'),
        fc.constantFrom(
          PAID,
          LISTED,
          'Zenobioquaresma Tavares Ficticio',
          'Fictisio Zenobio Quaresma Tavares',
        ),
        fc.record({
          document: fc.constantFrom(null, OWN_CPF),
          visibleDigits: fc.constantFrom(null, OWN_CPF.slice(3, 9)),
          birthDate: fc.constantFrom(null, '1950-01-01'),
          nationalities: fc.constantFrom([], ['BR']),
        }),
        fc.constantFrom({}, { birthDates: ['1950-01-01'] }, { maskedDocument: OWN_CPF.slice(3, 9) }),
        fc.array(added, { maxLength: 400, size: 'max' }),
        (kind, paid, facts, listed, more) => {
          const own = entryOf([LISTED], listed);
          const before = find([own], paid, facts, kind);
          fc.pre(holds(before));
          const after = find([own, ...more.map((one) => entryOf(one.names, one))], paid, facts, kind);
          expect(holds(after)).toBe(true);
          // Who was named is named still, unless the result says that somebody may be missing.
          const isNamed = ({ candidates }: KeptMatches<Candidate>): boolean =>
            candidates.some(({ entryId, mandatory }) => mandatory && entryId.endsWith('-000000000000'));
          expect(after.isCut || isNamed(after)).toBe(isNamed(before));
        },
      ),
      { numRuns: runsInPart(500) },
    );
  });
});

describe('A list with many namesakes', () => {
  const namesakes = Array.from({ length: 400 }, () => entryOf(['Maria da Silva'], withCpf));

  it('names the one whom nothing contradicts', () => {
    const { candidates, isCut } = find([...namesakes, entryOf(['Maria Silva'])], 'Maria da Silva', WITH_CPF);
    expect(isCut).toBe(false);
    expect(candidates.filter(({ mandatory }) => mandatory)).toHaveLength(1);
    expect(candidates).toHaveLength(11);
  });

  it('of politically exposed persons names the one with the same digits, and is complete', () => {
    const others = Array.from({ length: 400 }, () => entryOf(['Maria da Silva']));
    const same = entryOf(['Maria Silva'], { maskedDocument: OWN_CPF.slice(3, 9) });
    const { candidates, isCut } = find([...others, same], 'Maria da Silva', WITH_CPF, 'PEP');
    expect(isCut).toBe(false);
    expect(candidates[0]).toMatchObject({ mandatory: true, strength: 'STRONG' });
    expect(candidates).toHaveLength(11);
  });

  it('keeps the fact that rules read of a name that forces nothing, whoever is added', () => {
    const same = entryOf(['Maria Aparecida Silva'], {
      maskedDocument: OWN_CPF.slice(3, 9),
      birthDates: ['1950'],
    });
    const facts = { ...WITH_CPF, birthDate: '1990-01-01' };
    const others = Array.from({ length: 40 }, () => entryOf(['Maria Aparecida da Silva']));
    const { candidates } = find([...others, same], 'Maria Aparecida da Silva', facts, 'PEP');
    expect(candidates.flatMap(({ qualifiers }) => qualifiers)).toContain('MASKED_DOCUMENT_EQUAL');
  });

  it('says so when there are more than people can decide about', () => {
    const all = Array.from({ length: 101 }, (_, i) => entryOf([`Maria ${i % 2 ? 'da' : 'dos'} Silva`]));
    const { candidates, isCut } = find(all, 'Maria da Silva', NOBODY);
    expect(isCut).toBe(true);
    expect(candidates.filter(({ mandatory }) => mandatory)).toHaveLength(100);
    expect(find(all.slice(1), 'Maria da Silva', NOBODY).isCut).toBe(false);
  });

  it('says so when it holds more names than a search compares', () => {
    const given = Array.from({ length: 4_200 }, (_, i) => `X${i.toString(36).replaceAll(/\d/g, 'q')}z${i}`);
    const all = [entryOf([LISTED]), ...given.map((word) => entryOf([`${LISTED} ${word}`]))];
    expect(holds(find(all, PAID, WITH_CPF))).toBe(true);
  });
});
