import type { ArtifactMimeType, Barcode } from '../domain/artifact.js';
import type { ImageQuality } from '../domain/image-quality.js';
import type { Finding } from '../domain/file-refused.js';

/** A message to the reading process: a file in parts, which begins when `id` changes, and then the question about it. */
export type InspectionMessage =
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Buffer }
  | { readonly kind: 'question'; readonly id: number; readonly question: ReaderQuestion };

/** Whether a file is what it should be, what a page of a PDF looks like, or a picture as a logo. */
export type ReaderQuestion =
  | { readonly about: 'file'; readonly mimeType: ArtifactMimeType }
  | { readonly about: 'page'; readonly page: number }
  | { readonly about: 'logo'; readonly mimeType: Exclude<ArtifactMimeType, 'application/pdf'> };

/** A file that is what it should be. */
export interface Inspected {
  readonly width: number | null;
  readonly height: number | null;
  readonly pages: number | null;
  readonly quality: ImageQuality | null;
  readonly barcodes: readonly Barcode[];
  /** The image for looking at: JPEG without metadata. Null for a PDF. */
  readonly view: Buffer | null;
}

/** An answer of the reading process. */
export type InspectionAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'accepted'; readonly id: number; readonly inspected: Inspected }
  | { readonly kind: 'drawn'; readonly id: number; readonly image: Buffer }
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly finding: Finding;
      readonly key: string | null;
    };
