import { FileRefusedError, type FileFault } from './file-errors.js';
import { readPdf, type PdfObject, type PdfStructure } from './pdf-structure.js';
import { valuesOf, type PdfDictionary, type PdfValue } from './pdf-syntax.js';

// PDFs that run actions or have attachments are refused: no proof of address needs them. A PDF name such as /JavaScript
// counts only where a PDF reader acts on it, not in text, titles or names that the author chose (ISO 32000-2).

/** Forbidden actions: values of `/S`. Links to the web (`/URI`) and to pages are harmless: operators see page images. */
const FORBIDDEN_ACTIONS = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'Rendition',
  'Movie',
  'Sound',
  'RichMediaExecute',
  'GoTo3DView',
]);
const FORBIDDEN_KEYS: ReadonlyMap<string, FileFault> = new Map<string, FileFault>([
  ...['JS', 'JavaScript', 'XFA', 'RichMediaContent', 'RichMediaSettings', '3DD'].map(
    (key) => [key, 'ACTIVE_CONTENT'] as const,
  ),
  // A requirement may name a script, which runs in a reader that does not meet the requirement (12.11).
  ...['Requirements', 'RH', 'AlternatePresentations', 'Renditions'].map(
    (key) => [key, 'ACTIVE_CONTENT'] as const,
  ),
  ...['EF', 'EmbeddedFile', 'EmbeddedFiles', 'Collection'].map((key) => [key, 'ATTACHMENTS'] as const),
]);
/** Forbidden annotations (values of `/Subtype`) and objects (values of `/Type`). */
const FORBIDDEN_KINDS: ReadonlyMap<string, FileFault> = new Map<string, FileFault>([
  ...['RichMedia', 'Movie', 'Sound', 'Screen', '3D', 'Rendition', 'MediaClip'].map(
    (kind) => [kind, 'ACTIVE_CONTENT'] as const,
  ),
  ...['Requirement', 'ReqHandler', 'SlideShow'].map((kind) => [kind, 'ACTIVE_CONTENT'] as const),
  ...['FileAttachment', 'EmbeddedFile'].map((kind) => [kind, 'ATTACHMENTS'] as const),
]);
/** Entries (fonts, images, styles …) whose value is a dictionary with keys that the author or a program chose. */
const CHOSEN_KEY_ENTRIES = new Set(
  (
    'Font XObject ExtGState ColorSpace Pattern Shading Properties CharProcs Colorants RoleMap ClassMap Dests Info ' +
    'PieceInfo'
  ).split(' '),
);
/** The keys of a structure element in a tagged PDF (14.7.2), whose `/S` is the name of a style, not an action. */
const STRUCTURE_KEYS = new Set(
  'Type S P ID Ref Pg K A C R T Lang Alt E ActualText AF NS PhoneticAlphabet Phoneme'.split(' '),
);
/** A stream with one of these keys is, or shows, content of another file. */
const EXTERNAL_CONTENT_KEYS = ['F', 'Ref'] as const;
const MAX_ALIASES = 10;
const MAX_REVISIONS = 1_000;

/** The kind of a dictionary's keys: defined by ISO 32000, chosen by the author, or the states of an appearance. */
type KeyKind = 'known' | 'chosen' | 'appearance';

/** Throws FileRefusedError, with the offending key, when a PDF is encrypted, runs actions or has attachments. */
export function requirePassivePdf(bytes: Buffer): void {
  const structure = readPdf(bytes);
  const { objects, trailers } = structure;
  if (trailers.some((trailer) => valuesOf(trailer, 'Encrypt').length > 0)) {
    throw new FileRefusedError('ENCRYPTED', '/Encrypt');
  }
  const judge = new PdfJudge(structure);
  for (const trailer of trailers) judge.judgeValue(trailer, 'known');
  for (const object of objects) judge.judgeObject(object);
}

class PdfJudge {
  private readonly revisions = new Map<number, PdfValue[]>();
  /** False for an object that is only used as a dictionary with chosen keys. */
  private readonly hasKnownKeys = new Map<number, boolean>();

  private readonly resolvedValues = new Map<number, readonly PdfValue[]>();
  private readonly goTos = new Set<number>();

  constructor({ objects, trailers }: PdfStructure) {
    for (const trailer of trailers) this.noteKeys(trailer, 'known');
    for (const { number, value } of objects) {
      this.noteKeys(value, 'known');
      if (number === null) continue;
      const revisions = this.revisions.get(number);
      if (!revisions) this.revisions.set(number, [value]);
      else if (revisions.length < MAX_REVISIONS) revisions.push(value);
      else throw new FileRefusedError('EXPANDS_TOO_MUCH');
    }
  }

  judgeObject({ number, value, isStream }: PdfObject): void {
    const isTyped = value.kind !== 'dictionary' || valuesOf(value, 'Type').some((type) => !isString(type));
    const externalKey =
      !isStream || value.kind !== 'dictionary'
        ? undefined
        : EXTERNAL_CONTENT_KEYS.find((key) => valuesOf(value, key).length > 0);
    if (externalKey !== undefined) throw new FileRefusedError('ATTACHMENTS', `/${externalKey}`);
    this.judgeValue(
      value,
      !isTyped && !isStream && number !== null && this.hasKnownKeys.get(number) === false
        ? 'chosen'
        : 'known',
    );
  }

  judgeValue(value: PdfValue, keys: KeyKind): void {
    if (value.kind === 'array') for (const item of value.items) this.judgeValue(item, 'known');
    if (value.kind !== 'dictionary') return;
    if (keys === 'known') this.judgeDictionary(value);
    for (const [key, member] of value.entries) this.judgeValue(member, keysUnder(key, keys));
  }

  private judgeDictionary(dictionary: PdfDictionary): void {
    const isStructure =
      valuesOf(dictionary, 'P').length > 0 && dictionary.entries.every(([key]) => STRUCTURE_KEYS.has(key));
    for (const [key, value] of dictionary.entries) {
      if (value.kind === 'null') continue;
      const finding = FORBIDDEN_KEYS.get(key);
      if (finding) throw new FileRefusedError(finding, `/${key}`);
      // Some PDF readers accept a string as a name here, and no program writes a string here.
      if ((key === 'S' || key === 'Subtype') && this.resolve(value).some(isString)) {
        throw new FileRefusedError('ACTIVE_CONTENT', `/${key}`);
      }
      if ((key === 'URI' || key === 'Base') && this.runsSomething(value)) {
        throw new FileRefusedError('ACTIVE_CONTENT', `/${key}`);
      }
      if (key === 'S' && !isStructure) {
        const action = this.namesIn(value).find((name) => FORBIDDEN_ACTIONS.has(name));
        if (action !== undefined) throw new FileRefusedError('ACTIVE_CONTENT', `/${action}`);
        // A thread of articles may lie in another file.
        if (this.namesIn(value).includes('Thread') && valuesOf(dictionary, 'F').length > 0) {
          throw new FileRefusedError('ATTACHMENTS', '/F');
        }
      }
      if (key === 'Subtype' || key === 'Type') {
        const kind = this.namesIn(value).find((name) => FORBIDDEN_KINDS.has(name));
        if (kind !== undefined) {
          throw new FileRefusedError(FORBIDDEN_KINDS.get(kind) ?? 'ACTIVE_CONTENT', `/${kind}`);
        }
      }
      // OpenAction and AA run actions without a click, so they may only go to a page.
      const isHarmless =
        (key !== 'OpenAction' || this.isGoTo(value)) &&
        (key !== 'AA' || this.isEvery(value, (one) => this.isHarmlessSet(one)));
      if (!isHarmless) throw new FileRefusedError('ACTIVE_CONTENT', `/${key}`);
    }
  }

  /** True for a destination or a GoTo action, if all actions chained to it (`/Next`) are also GoTo actions. */
  private isGoTo(value: PdfValue): boolean {
    if (value.kind === 'reference') {
      // The check ends at the first reference that is not a GoTo, so every reference visited before is a GoTo.
      if (this.goTos.has(value.number)) return true;
      this.goTos.add(value.number);
    }
    return this.isEvery(value, (one) => {
      if (one.kind !== 'dictionary') return true;
      const kinds = valuesOf(one, 'S');
      return (
        kinds.length > 0 &&
        kinds.every((kind) => kind.kind === 'name' && kind.name === 'GoTo') &&
        valuesOf(one, 'Next').every(
          (next) =>
            this.isGoTo(next) &&
            this.resolve(next).every(
              (list) => list.kind !== 'array' || list.items.every((item) => this.isGoTo(item)),
            ),
        )
      );
    });
  }

  /** False even for a dangling reference: a PDF reader with another table may find an object there. */
  private isEvery(value: PdfValue, holds: (one: PdfValue) => boolean): boolean {
    const values = this.resolve(value);
    return values.length > 0 && values.every(holds);
  }

  private runsSomething(link: PdfValue): boolean {
    return this.resolve(link).some(({ kind }) => kind === 'active-string');
  }

  private isHarmlessSet(actions: PdfValue): boolean {
    if (actions.kind !== 'dictionary') return actions.kind === 'null';
    return actions.entries.every(([, action]) => this.isGoTo(action));
  }

  private namesIn(value: PdfValue): string[] {
    return this.resolve(value).flatMap((one) => (one.kind === 'name' ? [one.name] : []));
  }

  /** All values that a PDF reader may find here: the value itself, or any revision of the referenced object. */
  private resolve(value: PdfValue): readonly PdfValue[] {
    if (value.kind !== 'reference') return [value];
    const resolvedValue = this.resolvedValues.get(value.number);
    if (resolvedValue) return resolvedValue;
    const values: PdfValue[] = [];
    const numbers = new Set([value.number]);
    for (const number of numbers) {
      // No program writes long chains of references to references.
      if (numbers.size > MAX_ALIASES) throw new FileRefusedError('MALFORMED');
      for (const one of this.revisions.get(number) ?? []) {
        if (one.kind === 'reference') numbers.add(one.number);
        else values.push(one);
      }
    }
    this.resolvedValues.set(value.number, values);
    return values;
  }

  private noteKeys(value: PdfValue, keys: KeyKind): void {
    if (value.kind === 'array') for (const item of value.items) this.noteKeys(item, 'known');
    else if (value.kind === 'dictionary') {
      for (const [key, member] of value.entries) this.noteKeys(member, keysUnder(key, keys));
    } else if (value.kind === 'reference') {
      this.hasKnownKeys.set(value.number, keys !== 'chosen' || this.hasKnownKeys.get(value.number) === true);
    }
  }
}

const isString = ({ kind }: PdfValue): boolean => kind === 'string' || kind === 'active-string';

function keysUnder(key: string, keys: KeyKind): KeyKind {
  if (keys === 'appearance') return 'chosen';
  if (keys === 'chosen') return 'known';
  if (key === 'AP') return 'appearance';
  return CHOSEN_KEY_ENTRIES.has(key) ? 'chosen' : 'known';
}
