import { Injectable } from '@nestjs/common';
import {
  SealBrokenError,
  encryptionContextOf,
  Vault,
  type SubjectRef,
} from '../../../platform/privacy/index.js';
import type { SubmissionSubjects } from '../domain/submission/grouping.js';
import { BODY_VERSION } from '../domain/stored/stored-body.js';
import { bodyPacking } from '../domain/stored/stored-packing.js';

type Body = Readonly<Record<string, unknown>>;

export interface SealedBody {
  readonly transactionRef: string;
  readonly organisationId: string;
  readonly bytes: Buffer;
}

export type DecryptedBody =
  | {
      readonly kind: 'open';
      readonly version: number;
      readonly body: Body;
      readonly erased: readonly Section[];
    }
  /** The customer was erased, and with them everything that could be evaluated. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'broken' }
  /** This release cannot read the body's version. */
  | { readonly kind: 'unknown'; readonly version: number };

/** The layout of new bodies, whose sections are packed. In layout 1 they are plain JSON with the same field names. */
const LAYOUT = 2;
const bodyVersions: Readonly<Record<number, number>> = { 1: BODY_VERSION, [LAYOUT]: BODY_VERSION };

const sections = ['body', 'origin', 'destination'] as const;
type Section = (typeof sections)[number];

const contextOf = (
  layout: number,
  transactionRef: string,
  organisationId: string,
  section: Section,
): string =>
  `${encryptionContextOf('kyt_transactions', transactionRef, organisationId)}|${layout}|${section}`;

/**
 * Encrypts a submitted body in sections, so that each person's part can be erased alone: the body under the customer's
 * key; `origin` or `destination`, if it is another person, under that person's key. Format: layout (1 byte), then for
 * each section its number (1), its length (4) and the sealed value. Each seal is bound to the layout.
 */
@Injectable()
export class BodyEncryption {
  constructor(private readonly vault: Vault) {}

  /** Encrypts a body. The vault must have loaded the keys of these subjects before. */
  seal(body: object, subjects: SubmissionSubjects, transactionRef: string, organisationId: string): Buffer {
    const parts: Buffer[] = [Buffer.from([LAYOUT])];
    const add = (section: Section, value: unknown, subject: SubjectRef): void => {
      const context = contextOf(LAYOUT, transactionRef, organisationId, section);
      const sealed = this.vault.seal(bodyPacking.pack(JSON.stringify(value)), subject, context);
      const head = Buffer.allocUnsafe(5);
      head[0] = sections.indexOf(section);
      head.writeUInt32BE(sealed.length, 1);
      parts.push(head, sealed);
    };
    if (!subjects.origin && !subjects.destination) {
      add('body', body, subjects.main);
    } else {
      const { origin, destination, ...rest } = body as Body;
      const main = subjects.origin
        ? subjects.destination
          ? rest
          : { destination, ...rest }
        : { origin, ...rest };
      add('body', main, subjects.main);
      if (subjects.origin) add('origin', origin, subjects.origin);
      if (subjects.destination) add('destination', destination, subjects.destination);
    }
    return Buffer.concat(parts);
  }

  /** Decrypts many bodies with one look-up of keys. A broken body does not fail the others. */
  async openMany(stored: readonly SealedBody[]): Promise<DecryptedBody[]> {
    const split = stored.map((body) => (versionOf(body) === undefined ? null : splitSections(body)));
    const values = split.flatMap((parts) => parts ?? []);
    const plaintexts = await this.vault.tryOpenMany(values);
    let next = 0;
    return split.map((parts, i): DecryptedBody => {
      const layout = stored[i] ? layoutOf(stored[i]) : 0;
      const version = bodyVersions[layout];
      if (version === undefined && layout !== 0) return { kind: 'unknown', version: layout };
      if (!parts || version === undefined) return { kind: 'broken' };
      const results = parts.map((part) => ({ section: part.section, value: plaintexts[next++] ?? null }));
      try {
        return assemble(version, results);
      } catch {
        return { kind: 'broken' }; // sealed, but neither packed nor JSON; the error would quote what is inside
      }
    });
  }
}

interface SplitSection {
  readonly section: Section;
  readonly sealed: Buffer;
  readonly context: string;
}

/** Returns 0 for an empty body; no layout has this number. */
const layoutOf = ({ bytes }: SealedBody): number => bytes[0] ?? 0;

const versionOf = (stored: SealedBody): number | undefined => bodyVersions[layoutOf(stored)];

/** Splits a stored body into its sections; null if the bytes were changed. */
function splitSections(stored: SealedBody): SplitSection[] | null {
  const { bytes, transactionRef, organisationId } = stored;
  const layout = layoutOf(stored);
  const parts: SplitSection[] = [];
  for (let at = 1; at < bytes.length;) {
    const section = sections[bytes[at] ?? sections.length];
    if (section === undefined || at + 5 > bytes.length) return null;
    const length = bytes.readUInt32BE(at + 1);
    const sealed = bytes.subarray(at + 5, at + 5 + length);
    if (sealed.length !== length) return null;
    parts.push({ section, sealed, context: contextOf(layout, transactionRef, organisationId, section) });
    at += 5 + length;
  }
  return parts.some((part) => part.section === 'body') ? parts : null;
}

function assemble(
  version: number,
  results: readonly { section: Section; value: Buffer | SealBrokenError | null }[],
): DecryptedBody {
  if (results.some(({ value }) => value instanceof SealBrokenError)) return { kind: 'broken' };
  const erased = results.filter(({ value }) => value === null).map(({ section }) => section);
  if (erased.includes('body')) return { kind: 'erased' };
  const part = (wanted: Section): Body | undefined => {
    const sectionResult = results.find(({ section }) => section === wanted);
    if (!sectionResult) return undefined;
    // An erased participant becomes an empty object, which the shape allows.
    return Buffer.isBuffer(sectionResult.value)
      ? (JSON.parse(bodyPacking.unpack(sectionResult.value).toString('utf8')) as Body)
      : {};
  };
  const [origin, destination] = [part('origin'), part('destination')];
  // One literal per case, the spread last: see docs/performance.md about objects that begin with a spread.
  const body =
    origin && destination
      ? { origin, destination, ...part('body') }
      : origin
        ? { origin, ...part('body') }
        : destination
          ? { destination, ...part('body') }
          : { ...part('body') };
  return { kind: 'open', version, body, erased };
}
