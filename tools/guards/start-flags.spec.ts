import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { flagsOf, productionFlags, scripts } from '../../test/support/engine-flags.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('The flags of the engine', () => {
  const production = productionFlags();

  it('are the same however the service is started', () => {
    expect(production).not.toEqual([]);
    const image = /^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '';
    expect(flagsOf(image)).toEqual(production);
    expect(flagsOf(scripts()['start'] ?? '')).toEqual(production);
  });

  it('are each explained', () => {
    const explained = read('docs/performance.md') + read('docs/generated/asvs.md');
    for (const flag of production) {
      expect({ flag, explained: explained.includes(flag) }).toMatchObject({ explained: true });
    }
  });
});
