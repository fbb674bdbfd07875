import type { ArtifactMimeType, Barcode } from '../domain/artifact.js';
import type { ImageQuality } from '../domain/image-quality.js';
import type { FileFault } from '../domain/file-errors.js';

/** A message to the child process: the chunks of a file, then the request about it. A new `id` begins a new file. */
export type InspectionMessage =
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Buffer }
  | { readonly kind: 'question'; readonly id: number; readonly question: ReaderRequest };

/** The requests to the child process: inspect a file, render a page of a PDF, or convert a picture to a logo. */
export type ReaderRequest =
  | { readonly about: 'file'; readonly mimeType: ArtifactMimeType }
  | { readonly about: 'page'; readonly page: number }
  | { readonly about: 'logo'; readonly mimeType: Exclude<ArtifactMimeType, 'application/pdf'> };

/** The result of inspecting an accepted file. */
export interface InspectedFile {
  readonly width: number | null;
  readonly height: number | null;
  readonly pages: number | null;
  readonly quality: ImageQuality | null;
  readonly barcodes: readonly Barcode[];
  /** The `view` rendition of an image: a JPEG without metadata. Null if the file is a PDF. */
  readonly view: Buffer | null;
}

export type InspectionReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'accepted'; readonly id: number; readonly inspected: InspectedFile }
  | { readonly kind: 'drawn'; readonly id: number; readonly image: Buffer }
  | {
      readonly kind: 'refused';
      readonly id: number;
      readonly finding: FileFault;
      readonly key: string | null;
    };
