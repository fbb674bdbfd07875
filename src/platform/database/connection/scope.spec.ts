import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { noOrganisation, scopeSettingsOf, system } from './scope.js';

const src = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

describe('the scope of work', () => {
  it('is the same text for the same organisations, in any order and however often they are named', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (ids, random) => {
          const shuffled = [...ids, ...ids].sort(() => ((random.next().value as number) % 3) - 1);
          expect(scopeSettingsOf(shuffled)).toEqual(scopeSettingsOf(ids));
          expect(scopeSettingsOf(ids).organisations.slice(1, -1).split(',').sort()).toEqual([...ids].sort());
          expect(scopeSettingsOf(ids).system).toBe('');
        },
      ),
    );
  });

  it('of one organisation is that of a list with it alone', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(scopeSettingsOf(id)).toEqual(scopeSettingsOf([id, id]));
      }),
    );
  });

  it('is empty without organisations, and all with a reason', () => {
    expect(scopeSettingsOf(noOrganisation)).toEqual({ organisations: '', system: '' });
    expect(scopeSettingsOf(system('kyt.claim'))).toEqual({ organisations: '', system: 'kyt.claim' });
  });

  it('takes nothing that is not an id', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => scopeSettingsOf([text])).toThrow('not an organisation id');
      }),
    );
  });
});

describe('the sources', () => {
  it('reach the database through the unit of work only, which asks for the scope', () => {
    const past = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          file.endsWith('.ts') &&
          !file.endsWith('.spec.ts') &&
          !/^(platform\/database|bootstrap\/migrate)/.test(file),
      )
      .filter((file) =>
        /import[^;]*\b(DataSource|Repository|InjectRepository|InjectDataSource|InjectEntityManager)\b[^;]*from '(typeorm|@nestjs\/typeorm)'/.test(
          readFileSync(path.join(src, file), 'utf8'),
        ),
      );
    expect(past).toEqual([]);
  });
});
