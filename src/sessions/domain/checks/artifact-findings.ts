import { TaxId } from '../../../kernel/values/tax-id.js';
import type { ArtifactKind } from '../../../uploads/index.js';
import { finding, missing, type Finding } from './built-in-checks.js';

/** Everything known of a picture or PDF without looking at what it shows. */
export interface Picture {
  readonly mimeType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly quality: {
    readonly sharpness: number;
    readonly glare: number;
    readonly brightness: number;
    readonly contrast: number;
  } | null;
  readonly barcodes: readonly { readonly format: string; readonly text: string }[];
}

/**
 * Below these nobody can read a document: 600 px on the shorter side leave a line of text on an identity card about
 * 15 px; sharpness, glare, brightness and contrast are those of the reader of uploads. Starting points, not norms.
 */
export const QUALITY = { shorterSide: 600, sharpness: 60, glare: 0.2, darkest: 40, contrast: 12 } as const;

/** DOCUMENT_QUALITY: every picture of the document can be read. */
export function judgeQuality(pictures: readonly Picture[]): Finding {
  if (pictures.length === 0) return missing('NO_FILE');
  const flaws = pictures.flatMap(flawsOf);
  if (flaws.length > 0) return finding('HIT', [...new Set(flaws)].sort().join('+'), 20, 'REVIEW');
  // The pages of a PDF are not measured.
  return pictures.every(({ quality }) => quality === null)
    ? finding('PARTIAL', 'PDF_NOT_MEASURED')
    : finding('NO_HIT');
}

function flawsOf({ width, height, quality }: Picture): string[] {
  if (!quality) return [];
  return [
    ...(Math.min(width ?? 0, height ?? 0) < QUALITY.shorterSide ? ['LOW_RESOLUTION'] : []),
    ...(quality.sharpness < QUALITY.sharpness ? ['BLURRED'] : []),
    ...(quality.glare > QUALITY.glare ? ['GLARE'] : []),
    ...(quality.brightness < QUALITY.darkest ? ['TOO_DARK'] : []),
    ...(quality.contrast < QUALITY.contrast ? ['LOW_CONTRAST'] : []),
  ];
}

const CPF_RUN = /(?<!\d)\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?!\d)/g;

/** DOCUMENT_CODE: a code on the document names the person who says to be its holder. */
export function judgeCodes(pictures: readonly Picture[], document: string | null): Finding {
  const codes = pictures.flatMap(({ barcodes }) => barcodes);
  if (codes.length === 0) return missing('NO_CODE_READ');
  const named = codes.flatMap(({ text }) =>
    (text.match(CPF_RUN) ?? []).flatMap((run) => {
      const parsed = TaxId.parse(run);
      return parsed.ok && parsed.id.kind === 'CPF' ? [parsed.id.canonical()] : [];
    }),
  );
  if (named.length === 0) return finding('PARTIAL', 'CODE_NAMES_NOBODY');
  if (document === null) return missing('TAX_ID_NOT_GIVEN');
  return named.includes(document)
    ? finding('NO_HIT', 'CODE_AGREES')
    : finding('HIT', 'CODE_NAMES_SOMEBODY_ELSE', 60, 'REVIEW');
}

/** A file as its content: the same digest is the same file. */
export interface SentFile {
  readonly kind: ArtifactKind;
  readonly sha256: string;
}

/**
 * DUPLICATE_ARTIFACT: nobody else has sent the same file, and no selfie is a file that was sent as something else: the
 * picture of a face on a document agrees with that document whoever holds it. One file for two sides of a document is
 * no finding; a PDF may hold both.
 */
export function judgeDuplicates(sent: readonly SentFile[], ofOthers: number): Finding {
  if (sent.length === 0) return missing('NO_FILE');
  if (ofOthers > 0) return finding('HIT', 'SAME_FILE_OF_ANOTHER_CUSTOMER', 60, 'REVIEW');
  const others = new Set(sent.filter(({ kind }) => kind !== 'SELFIE').map(({ sha256 }) => sha256));
  return sent.some(({ kind, sha256 }) => kind === 'SELFIE' && others.has(sha256))
    ? finding('HIT', 'SELFIE_IS_ANOTHER_FILE', 60, 'REVIEW')
    : finding('NO_HIT');
}
