import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Container {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly user?: string;
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Compose {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const yaml = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown };

/** Takes over what `<<` names, as Compose does. */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(merged);
  if (typeof value !== 'object' || value === null) return value;
  const { '<<': base, ...own } = value as Record<string, unknown>;
  return {
    ...(merged(base) as object | undefined),
    ...Object.fromEntries(Object.entries(own).map(([k, v]) => [k, merged(v)])),
  };
}

/** Returns what a file of Compose says, with anchors and merges resolved. */
export const readCompose = (file: string): Compose => merged(readYaml(file)) as Compose;

export const readYaml = (file: string): unknown => yaml.load(readFileSync(file, 'utf8'));

/** Returns a service of several files as Compose reads them together: maps are united, lists appended. */
export const serviceOf = (
  files: readonly Compose[],
  name: string,
): Pick<Container, 'networks' | 'environment'> => ({
  networks: files.flatMap((file) => file.services[name]?.networks ?? []),
  environment: Object.assign(
    {},
    ...files.map((file) => file.services[name]?.environment),
  ) as Container['environment'],
});

/** Puts values into a text as Compose does; throws with the message of one that has to be set. */
export const interpolated = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind?: string, otherwise = ''): string => {
      const value = values[name] ?? '';
      if (value !== '' || kind === undefined) return value;
      if (kind === '?') throw new Error(`${name}: ${otherwise}`);
      return String(otherwise);
    },
  );
