import { readDatabaseUrl, readRedisUrl, readUrl } from './server-urls.js';

/** Defines how one environment variable is read, checked and documented. */
export interface SettingDefinition<T> {
  /** One line for the person who runs the service: the effect of the setting, and the reason for its default. */
  readonly doc: string;
  /** Shown in the table of docs/generated/settings.md. */
  readonly kind: string;
  /** The default. Without it, the setting is required. */
  readonly fallback?: T;
  /** A secret is never printed, not even if it is invalid. */
  readonly secret?: boolean;
  /** Returns the value, or the problem of the text without quoting it. */
  parse(text: string): { value: T } | { problem: string };
}

type Shape<T> = Omit<SettingDefinition<T>, 'parse' | 'kind'>;

type Definitions = Readonly<Record<string, SettingDefinition<never> | SettingDefinition<unknown>>>;

/** A definition with its heading in docs/generated/settings.md and its environment variable. */
type Placed<D> = { readonly [Name in keyof D]: D[Name] & { readonly group: string; readonly env: string } };

/** Puts definitions under one heading. The variable of a setting has its name in capitals: `redisUrl`, REDIS_URL. */
export const inGroup = <D extends Definitions>(group: string, definitions: D): Placed<D> => {
  const placed = Object.entries(definitions).map(([name, one]): [string, unknown] => {
    const env = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    return [name, { ...one, group, env }];
  });
  return Object.fromEntries(placed) as Placed<D>;
};

export const text = (shape: Shape<string>): SettingDefinition<string> => ({
  ...shape,
  kind: 'text',
  parse: (value) => ({ value }),
});

export const matching = (pattern: RegExp, shape: Shape<string>): SettingDefinition<string> => ({
  ...shape,
  kind: `text, \`${pattern.source}\``,
  parse: (value) => (pattern.test(value) ? { value } : { problem: `must match ${pattern.source}` }),
});

export const optionalText = (
  shape: Omit<Shape<string | null>, 'fallback'>,
): SettingDefinition<string | null> => ({
  ...shape,
  fallback: null,
  kind: 'text',
  parse: (value) => ({ value }),
});

type OptionalShape = Omit<Shape<string | null>, 'fallback'>;

const readBy =
  (
    protocols: readonly string[],
    read: (text: string) => { readonly value: unknown } | { readonly problem: string },
  ) =>
  (shape: OptionalShape): SettingDefinition<string | null> => ({
    ...shape,
    fallback: null,
    kind: `URL (${protocols.join(', ')})`,
    parse: (value) => {
      const result = read(value);
      return 'problem' in result ? result : { value };
    },
  });

export const url = (protocols: readonly string[], shape: OptionalShape): SettingDefinition<string | null> =>
  readBy(protocols, (text) => readUrl(text, protocols))(shape);

/** A URL that may list several hosts: `postgres://user@one:5432,two:5432/vigia`. */
export const databaseUrl = readBy(['postgres:', 'postgresql:'], readDatabaseUrl);

export const redisUrl = readBy(['redis:', 'rediss:'], readRedisUrl);

export const integer = (min: number, max: number, shape: Shape<number>): SettingDefinition<number> => ({
  ...shape,
  kind: `integer, ${min} to ${max}`,
  parse: (value) => {
    const number = /^-?\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max
      ? { value: number }
      : { problem: `must be an integer from ${min} to ${max}` };
  },
});

export const choice = <const C extends string>(
  choices: readonly C[],
  shape: Shape<NoInfer<C>>,
): SettingDefinition<C> => ({
  ...shape,
  kind: choices.join(' \\| '),
  parse: (value) => {
    const found = choices.find((candidate) => candidate === value);
    return found === undefined ? { problem: `must be one of ${choices.join(', ')}` } : { value: found };
  },
});

export const flag = (shape: Shape<boolean>): SettingDefinition<boolean> => ({
  ...shape,
  kind: 'true \\| false',
  parse: (value) =>
    value === 'true' || value === 'false'
      ? { value: value === 'true' }
      : { problem: 'must be true or false' },
});

export const list = <T>(
  item: (part: string) => T | null,
  what: string,
  shape: Shape<readonly T[]>,
): SettingDefinition<readonly T[]> => ({
  ...shape,
  kind: `comma-separated ${what}`,
  parse: (value) => {
    const parts = value.split(',').map((part) => part.trim());
    const items = parts.filter((part) => part !== '').map(item);
    const good = items.filter((entry): entry is NonNullable<typeof entry> => entry !== null) as T[];
    return good.length === items.length
      ? { value: good }
      : { problem: `must be a comma-separated list of ${what}` };
  },
});

/** False for a pattern or a text. Of 6 × 10^13 random keys of 32 bytes, about one is printable throughout. */
const isRandomLooking = (bytes: Buffer): boolean =>
  bytes.length === 32 && new Set(bytes).size > 8 && bytes.some((byte) => byte < 0x20 || byte > 0x7e);

/** 32 random bytes in base64, as `openssl rand -base64 32` prints them. */
export const key = (shape: Omit<Shape<Buffer>, 'fallback' | 'secret'>): SettingDefinition<Buffer> => ({
  ...shape,
  secret: true,
  kind: '32 bytes in base64',
  parse: (value) => {
    const bytes = Buffer.from(value, 'base64');
    return isRandomLooking(bytes)
      ? { value: bytes }
      : { problem: 'must be 32 random bytes in base64 (openssl rand -base64 32)' };
  },
});

export const optionalKey = (
  shape: Omit<Shape<Buffer | null>, 'fallback' | 'secret'>,
): SettingDefinition<Buffer | null> => ({ ...key(shape), fallback: null });

export interface RingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** `id:base64` entries, newest first: the first key encrypts, all keys decrypt. */
export const keyRing = (
  shape: Omit<Shape<readonly RingKey[]>, 'secret'>,
): SettingDefinition<readonly RingKey[]> => ({
  ...shape,
  secret: true,
  kind: 'comma-separated `id:base64` keys of 32 bytes, newest first',
  parse: (value) => {
    const keys = value.split(',').map((entry) => {
      const [, id, encoded] = /^\s*([a-z0-9][a-z0-9-]{0,30}):([A-Za-z0-9+/=]+)\s*$/.exec(entry) ?? [];
      const bytes = Buffer.from(encoded ?? '', 'base64');
      return id !== undefined && isRandomLooking(bytes) ? { id, bytes } : null;
    });
    const good = keys.filter((entry) => entry !== null);
    return good.length === keys.length && new Set(good.map((entry) => entry.id)).size === good.length
      ? { value: good }
      : { problem: 'must be distinct entries id:base64, each of 32 random bytes' };
  },
});
