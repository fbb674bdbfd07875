import type { PictureFlaw } from '../../../../platform/kernel/reference/picture-flaws.js';
import { pictureFlawsOf, type KnownArtifact } from '../../../uploads/index.js';

/** After this many pictures the best is accepted for a person to review, and no better picture is requested. */
export const TRIES = 3;

/** A file of a session. `repeatedAt`: when the person sent the same file again instead of a better one. */
export type SessionFile = KnownArtifact & { readonly repeatedAt?: Date | null };

/** Returns when the person last sent a file. */
export const lastSentAt = ({ createdAt, repeatedAt }: SessionFile): Date =>
  repeatedAt && repeatedAt > createdAt ? repeatedAt : createdAt;

/** An uploaded picture with the judgement of its step. */
export interface AssessedPicture {
  readonly file: KnownArtifact;
  readonly flaws: readonly PictureFlaw[];
  /** True if the step accepts the picture and no later picture replaces it. */
  readonly counts: boolean;
  /** How many more pictures the step requests; 0 after it has accepted a picture. */
  readonly triesLeft: number;
}

const placeOf = ({ stepId, documentType, side }: KnownArtifact): string =>
  `${stepId ?? ''}/${documentType ?? ''}/${side ?? ''}`;

export const flawsOfFile = ({ kind, width, height, facts }: KnownArtifact): readonly PictureFlaw[] =>
  facts === null || kind === 'ATTACHMENT'
    ? []
    : pictureFlawsOf({
        of: kind === 'SELFIE' ? 'face' : 'document',
        ...{ width, height, quality: facts.quality, codes: facts.barcodes.length },
      });

/**
 * Judges files in upload order. For each slot (step, document, side) the newest file without a flaw counts. After three
 * with flaws, or one sent twice, the best counts: the fewest flaws, then the sharpest.
 */
export function assessPictures(files: readonly SessionFile[]): readonly AssessedPicture[] {
  const places = new Map<string, { readonly file: SessionFile; readonly flaws: readonly PictureFlaw[] }[]>();
  for (const file of files) {
    const tries = places.get(placeOf(file)) ?? [];
    places.set(placeOf(file), [...tries, { file, flaws: flawsOfFile(file) }]);
  }
  const assessmentByArtifact = new Map<KnownArtifact, AssessedPicture>();
  for (const tries of places.values()) {
    const good = tries.findLast(({ flaws }) => flaws.length === 0);
    const isOver = tries.length >= TRIES || tries.some(({ file }) => file.repeatedAt);
    const takenPicture = good ?? (isOver ? bestOf(tries) : undefined);
    for (const one of tries) {
      assessmentByArtifact.set(one.file, {
        ...one,
        counts: one === takenPicture,
        triesLeft: takenPicture ? 0 : TRIES - tries.length,
      });
    }
  }
  return files.flatMap((file) => assessmentByArtifact.get(file) ?? []);
}

function bestOf<T extends { readonly file: KnownArtifact; readonly flaws: readonly PictureFlaw[] }>(
  tries: readonly T[],
): T | undefined {
  const sharpness = ({ file }: T): number => file.facts?.quality?.focus ?? 0;
  return [...tries].sort((a, b) => a.flaws.length - b.flaws.length || sharpness(b) - sharpness(a))[0];
}

export const acceptedFiles = (files: readonly SessionFile[]): KnownArtifact[] =>
  assessPictures(files)
    .filter(({ counts }) => counts)
    .map(({ file }) => file);
