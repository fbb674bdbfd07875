import { table } from '../../../../platform/kernel/table.js';
import { didYouMean } from '../../../../platform/kernel/values/did-you-mean.js';

type Json = Readonly<Record<string, unknown>>;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** The metadata keys of a submission that become facts, each with the check of its value. */
const KNOWN: Readonly<Record<string, (value: unknown) => boolean>> = table({
  direction: (value) => value === 'IN' || value === 'OUT',
  deviceId: isText,
  ipAddress: isText,
  cardId: isText,
  deviceRegistered: isFlag,
  declines: isCount,
  wallet: isJson,
  'wallet.custody': isText,
  'wallet.ownerVerified': isFlag,
  dict: isJson,
  'dict.statistics': isJson,
  'dict.statistics.KEY': isJson,
  'dict.statistics.OWNER': isJson,
  'dict.statistics.ACCOUNT': isJson,
});
const NAMES = Object.keys(KNOWN);
/** The name of every metadata key that the service reads, without its path. */
export const metadataNames: readonly string[] = [
  ...new Set(NAMES.flatMap((path) => path.split('.'))),
  ...['address', 'birthDate', 'sandboxScenario', 'sandboxCustomer'],
];
const CONTAINERS = ['wallet', 'dict', 'dict.statistics'] as const;
const NONE: readonly string[] = Object.freeze([]);

/**
 * Returns the sorted paths of known keys that were sent but cannot be read: the value has the wrong type, or the name
 * differs by case, a separator or one letter (`device_id`) and the right name was not sent. Null counts as absent.
 */
export function findIgnoredMetadata(metadata: Json): readonly string[] {
  const ignored = new Set<string>();
  const look = (own: Json, prefix: string): void => {
    for (const key in own) {
      const value = own[key];
      if (value === null || value === undefined) continue;
      const name = prefix + key;
      const check = KNOWN[name];
      if (check) {
        if (!check(value)) ignored.add(name);
        continue;
      }
      const meantKey = findMeantKey(name);
      if (meantKey !== null && (own[meantKey.slice(prefix.length)] ?? null) === null) ignored.add(meantKey);
    }
  };
  look(metadata, '');
  for (const name of CONTAINERS) {
    const ignoredValue = name
      .split('.')
      .reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), metadata);
    if (isJson(ignoredValue)) look(ignoredValue, `${name}.`);
  }
  return ignored.size === 0 ? NONE : [...ignored].sort();
}

/** Maximum number of cached names, because callers choose the names. */
const MAX_MEANT_KEYS = 1_024;
const meantKeys = new Map<string, string | null>();

/** Returns the known key of the same object that the name misspells, or null. */
function findMeantKey(name: string): string | null {
  let meantKey = meantKeys.get(name);
  if (meantKey === undefined) {
    const depth = name.lastIndexOf('.') + 1;
    const prefix = name.slice(0, depth);
    const bareName = name.slice(depth).replace(/[^\p{L}\p{N}]/gu, '');
    const candidates = NAMES.filter(
      (known) => known.startsWith(prefix) && known.lastIndexOf('.') + 1 === depth,
    ).map((known) => known.slice(depth));
    const near = didYouMean(bareName, candidates, 1);
    meantKey = near === undefined ? null : prefix + near;
    if (meantKeys.size >= MAX_MEANT_KEYS) meantKeys.clear();
    meantKeys.set(name, meantKey);
  }
  return meantKey;
}
