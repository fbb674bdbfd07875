import type { ArtifactKind, KnownArtifact } from '../../../uploads/index.js';
import { flawsOfFile } from '../flow/tries.js';
import { checkFinding, missingInputFinding, type CheckFinding } from './built-in-checks.js';
import { taxIdsIn } from './document-data.js';

/** DOCUMENT_QUALITY: every picture of the document is legible. */
export function checkQuality(files: readonly KnownArtifact[]): CheckFinding {
  if (files.length === 0) return missingInputFinding('NO_FILE');
  const flaws = files.flatMap(flawsOfFile);
  if (flaws.length > 0) return checkFinding('HIT', [...new Set(flaws)].sort().join('+'), 20, 'REVIEW');
  // The quality of PDF pages is not measured.
  return files.every(({ facts }) => (facts?.quality ?? null) === null)
    ? checkFinding('PARTIAL', 'PDF_NOT_MEASURED')
    : checkFinding('NO_HIT');
}

/**
 * DOCUMENT_CODE: a bar code or QR code on the document names the person of the session. The service itself verifies no
 * signature of a code: without a provider that did, the finding has the remark CODE_UNVERIFIED.
 */
export function checkCodes(
  files: readonly KnownArtifact[],
  document: string | null,
  verified: boolean,
): CheckFinding {
  const codes = files.flatMap(({ facts }) => facts?.barcodes ?? []);
  if (codes.length === 0) return missingInputFinding('NO_CODE_READ');
  const remarks = verified ? {} : { remarks: ['CODE_UNVERIFIED'] };
  const taxIds = codes.flatMap(({ text }) => taxIdsIn(text));
  if (taxIds.length === 0) return { ...checkFinding('PARTIAL', 'CODE_NAMES_NOBODY'), ...remarks };
  if (document === null) return missingInputFinding('TAX_ID_NOT_GIVEN');
  return taxIds.includes(document)
    ? { ...checkFinding('NO_HIT', 'CODE_AGREES'), ...remarks }
    : { ...checkFinding('HIT', 'CODE_NAMES_SOMEBODY_ELSE', 60, 'REVIEW'), ...remarks };
}

/** A file by its content: equal digests mean the same file. */
export interface SentFile {
  readonly kind: ArtifactKind;
  readonly sha256: string;
}

/**
 * DUPLICATE_ARTIFACT: no other customer has sent the same file, and no selfie is also sent as something else, because
 * the photo on a document always matches that document. One file for both sides of a document is not a finding: a PDF
 * may show both. A magic document of the sandbox may bring the same test picture again, as whatever it likes.
 */
export function checkDuplicates(
  sent: readonly SentFile[],
  ofOthers: number,
  ofMagicDocument = false,
): CheckFinding {
  if (sent.length === 0) return missingInputFinding('NO_FILE');
  if (ofMagicDocument) return checkFinding('NO_HIT', 'MAGIC_DOCUMENT');
  if (ofOthers > 0) return checkFinding('HIT', 'SAME_FILE_OF_ANOTHER_CUSTOMER', 60, 'REVIEW');
  const documentDigests = new Set(sent.filter(({ kind }) => kind !== 'SELFIE').map(({ sha256 }) => sha256));
  return sent.some(({ kind, sha256 }) => kind === 'SELFIE' && documentDigests.has(sha256))
    ? checkFinding('HIT', 'SELFIE_IS_ANOTHER_FILE', 60, 'REVIEW')
    : checkFinding('NO_HIT');
}
