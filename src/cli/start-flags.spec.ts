import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const flagsOf = (command: string): string[] => command.match(/--[\w=-]+/g) ?? [];

describe('The flags of the engine', () => {
  const { scripts } = JSON.parse(read('package.json')) as {
    scripts: { readonly start: string; readonly 'start:prod': string };
  };
  const production = flagsOf(scripts['start:prod']);

  it('are the same however the service is started', () => {
    const image = /^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '';
    expect(flagsOf(image)).toEqual(production);
    expect(flagsOf(scripts.start)).toEqual(production);
  });

  it('are each explained', () => {
    const explained = read('docs/performance.md') + read('docs/asvs.md');
    for (const flag of production) {
      expect({ flag, explained: explained.includes(flag) }).toMatchObject({ explained: true });
    }
  });
});
