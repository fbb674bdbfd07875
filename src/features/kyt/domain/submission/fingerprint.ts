import { canonicalJson, canonicalJsonWithout } from '../../../../platform/kernel/values/canonical-json.js';
import {
  canonicalValue,
  type ValueKind,
} from '../../../../platform/kernel/values/canonical/canonical-value.js';
import { sha256 } from '../../../../platform/kernel/values/digest.js';
import { epochMillisOf } from '../../../../platform/kernel/values/instant.js';
import { TaxId } from '../../../../platform/kernel/values/tax-id.js';

/** A valid body of either contract. */
type Body = object;
type Members = Readonly<Record<string, unknown>>;
type Form = (text: string) => string | number | undefined;

/** The first byte of a fingerprint. Fingerprints of version 1 have none: they are the digest alone. */
const VERSION = Buffer.from([2]);
const DIGEST_BYTES = 32;

/** Returns the fingerprint that recognises a repeated submission: the digest of its canonical values. */
export const fingerprintOf = (body: Body): Buffer =>
  Buffer.concat([VERSION, sha256(canonicalJson(contentOf(body)))]);

/**
 * True if the body repeats the submission with this fingerprint. The version of the fingerprint decides how the body is
 * compared.
 */
export const isRepeat = (stored: Buffer, body: Body): boolean =>
  stored.equals(stored.length === DIGEST_BYTES ? firstFingerprintOf(body) : fingerprintOf(body));

/**
 * Returns the fingerprint of version 1: of the body as it was sent, without the top-level `metadata`, which may differ
 * between attempts.
 */
const firstFingerprintOf = (body: Body): Buffer => sha256(canonicalJsonWithout('metadata', body as Members));

const valueOf =
  (kind: ValueKind): Form =>
  (text) =>
    canonicalValue(kind, text) ?? undefined;

/** Returns the canonical form of a document. Masked documents are equal if their visible characters are equal. */
const documentOf: Form = (text) => {
  const parsed = TaxId.parse(text);
  return parsed.ok ? parsed.id.canonical() : text;
};

const formByField: ReadonlyMap<string, Form> = new Map([
  ['cpfCnpj', documentOf],
  ['document', documentOf],
  ['occurredAt', epochMillisOf],
  ['accountReference', valueOf('ACCOUNT')],
  ['walletReference', valueOf('WALLET')],
]);
const metadataForms: ReadonlyMap<string, Form> = new Map([['pixKey', valueOf('PIX_KEY')]]);

/**
 * Returns the content of a submission: null means absent, values have their canonical form, texts are composed (NFC).
 * The top-level `metadata` is left out, because it may differ between attempts.
 */
const contentOf = (body: Body): Members => membersOf({ ...body, metadata: null }, formByField);

function membersOf(object: Members, of: ReadonlyMap<string, Form>): Members {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = contentOfValue(object[name], name, of);
    if (value !== undefined) members[name] = value;
  }
  return members;
}

function contentOfValue(value: unknown, name: string, of: ReadonlyMap<string, Form>): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') {
    const form = of.get(name);
    return form ? form(value) : value.normalize('NFC');
  }
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => contentOfValue(item, '', of) ?? null);
  if (name !== 'metadata') return membersOf(value as Members, of);
  const metadata = membersOf(value as Members, metadataForms);
  return Object.keys(metadata).length === 0 ? undefined : metadata;
}

const MAX_PATHS = 20;

/**
 * Returns the paths at which the contents of two bodies differ, at most twenty. Paths end at metadata, because its keys
 * are chosen by the sender and may be personal.
 */
export function differingPaths(one: Body, other: Body): string[] {
  const paths: string[] = [];
  collectDifferences(contentOf(one), contentOf(other), '', paths);
  return paths.slice(0, MAX_PATHS);
}

function collectDifferences(one: unknown, other: unknown, path: string, paths: string[]): void {
  if (canonicalJson(one ?? null) === canonicalJson(other ?? null)) return;
  if (!isObject(one) || !isObject(other) || path.endsWith('metadata')) {
    paths.push(path);
    return;
  }
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const at = Array.isArray(one) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    collectDifferences((one as Members)[name], (other as Members)[name], at, paths);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
