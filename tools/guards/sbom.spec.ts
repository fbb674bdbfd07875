import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface LockedPackage {
  /** The real name of a package that is installed under an alias. */
  readonly name?: string;
  readonly version?: string;
}

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly components?: readonly Component[];
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

function locked(): string[] {
  const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`);
}

function* all(components: readonly Component[]): Generator<Component> {
  for (const component of components) {
    yield component;
    yield* all(component.components ?? []);
  }
}

describe('docs/sbom.cdx.json', () => {
  const text = readFileSync('docs/sbom.cdx.json', 'utf8');
  const bom = read('docs/sbom.cdx.json') as {
    bomFormat: string;
    specVersion: string;
    components: readonly Component[];
  };
  const components = [...all(bom.components)];

  it('is CycloneDX 1.6 and holds exactly what the lock file holds (npm run sbom makes it anew)', () => {
    // ASVS 15.1.2
    expect([bom.bomFormat, bom.specVersion]).toEqual(['CycloneDX', '1.6']);
    const held = components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`,
    );
    expect(sorted(held)).toEqual(sorted(locked()));
  });

  it('names each component so that a scanner finds it, and nothing of the machine it was made on', () => {
    for (const { purl } of components) expect(purl).toMatch(/^pkg:npm\//);
    expect(text).not.toMatch(/file:\/\/|\/home\/|\/tmp\/|localhost/);
  });
});

describe('package.json', () => {
  const manifest = read('package.json') as Record<'dependencies', Record<string, string>>;

  it('pins what the service runs with to exact versions', () => {
    // ASVS 15.2.1
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('lets no package run a script when it is installed', () => {
    expect(readFileSync('.npmrc', 'utf8')).toContain('ignore-scripts=true');
  });
});
