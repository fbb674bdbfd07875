import { describe, expect, it } from '@jest/globals';
import { sqlArray } from './sql.js';
import { unnested } from './unnested.js';

interface Note {
  readonly id: string;
  readonly of: { readonly caseId: string; readonly by: { readonly name: string | null } };
  readonly sentAt: Date | null;
  readonly pages: number;
  readonly labels: readonly string[] | null;
  readonly lead: { readonly code: string } | null;
}

const NOTES = unnested<Note>(
  { uuid: ['id', 'of.caseId'], timestamptz: ['sentAt'] },
  { text: { author: 'of.by.name' }, int: { pageCount: (note) => note.pages + 1 } },
  { codes: ['labels'], json: ['lead'], code: { kind: () => 'NOTE' } },
);

const one = '01a20626-7ba4-734c-8ce8-cdca7c56f345';
const other = '01a20626-7ba4-734c-8ce8-cdca7c56f346';

describe('rows that a statement takes as arrays', () => {
  it('have a column for each path, property and function, in the order of their declaration', () => {
    expect(NOTES.columns).toBe('id, case_id, sent_at, author, page_count, labels, lead, kind');
    expect(NOTES.read).toBe(
      "s.id, s.case_id, s.sent_at, s.author, s.page_count, string_to_array(s.labels, ','), s.lead::jsonb, s.kind",
    );
  });

  it('are numbered from any parameter on, under any alias, and may have their place', () => {
    const ids = unnested<Note>({ uuid: ['id'], int: ['pages'] });
    expect(NOTES.from()).toBe(
      'unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[]) ' +
        'AS s (id, case_id, sent_at, author, page_count, labels, lead, kind)',
    );
    expect(ids.from(3, 'n')).toBe('unnest($3::uuid[], $4::int[]) AS n (id, pages)');
    expect(ids.from(2, 's', 'i')).toBe('unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS s (id, pages, i)');
  });

  it('are sent as one array for each column, in the encoding of its type', () => {
    const sentAt = new Date('2026-01-02T03:04:05.678Z');
    const notes: Note[] = [
      {
        id: one,
        of: { caseId: other, by: { name: 'a, b' } },
        sentAt,
        pages: 1,
        labels: ['X', 'Y'],
        lead: null,
      },
      {
        id: other,
        of: { caseId: one, by: { name: null } },
        sentAt: null,
        pages: 2,
        labels: null,
        lead: { code: 'Z' },
      },
    ];
    expect(NOTES.arrays(notes)).toEqual([
      sqlArray.uuids([one, other]),
      sqlArray.uuids([other, one]),
      sqlArray.instants([sentAt, null]),
      sqlArray.text(['a, b', null]),
      '{2,3}',
      sqlArray.text(['X,Y', null]),
      sqlArray.text([null, '{"code":"Z"}']),
      '{NOTE,NOTE}',
    ]);
    expect(NOTES.arrays([])).toHaveLength(8);
  });

  it('do not compile with a path to a value of another type', () => {
    // @ts-expect-error: a number is no text
    unnested<Note>({ text: ['pages'] });
    // @ts-expect-error: there is no such path
    unnested<Note>({ uuid: ['of.orderId'] });
    // @ts-expect-error: the function returns another type
    unnested<Note>({ int: { pages: (note) => note.id } });
  });
});
