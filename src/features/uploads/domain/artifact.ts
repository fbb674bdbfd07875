import type { SubjectRef } from '../../../platform/privacy/index.js';
import type { ImageQuality } from './image-quality.js';

/** The purpose of an artifact. */
export const artifactKinds = ['DOCUMENT', 'SELFIE', 'PROOF_OF_ADDRESS', 'ATTACHMENT'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const artifactSides = ['FRONT', 'BACK'] as const;
export type ArtifactSide = (typeof artifactSides)[number];

export const artifactMimeTypes = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const;
export type ArtifactMimeType = (typeof artifactMimeTypes)[number];

/** STORED: the file exists. LOST: the store lacks it. ERASED: the file was deleted when the person was erased. */
export type ArtifactState = 'STORED' | 'LOST' | 'ERASED';

/** The session, case or customer that a file was uploaded to; `id` is its UUID, never a session's public id. */
export interface ArtifactOwner {
  readonly type: 'SESSION' | 'REVIEW' | 'CUSTOMER';
  readonly id: string;
}

/** The description of a file, from the form fields of the upload. */
export interface ArtifactDescription {
  readonly kind: ArtifactKind;
  readonly stepId: string | null;
  readonly documentType: string | null;
  readonly side: ArtifactSide | null;
}

/** The step, document type and side that an upload names. Without a step, the first incomplete step gets the file. */
export type UploadTarget = Pick<ArtifactDescription, 'stepId' | 'documentType' | 'side'>;

/** `original`: the uploaded bytes. `view`: an image re-encoded without metadata, at most 2,000 px per side. */
export type Rendition = 'original' | 'view';

/** A machine-readable symbol in an image: a QR code, PDF417, Aztec, Data Matrix or one-dimensional barcode. */
export interface Barcode {
  /** The name of the symbology, as ZXing writes it: `QRCode`, `PDF417`, `Aztec`, `DataMatrix`, `ITF`, `Code128` … */
  readonly format: string;
  readonly text: string;
}

/** The results of inspecting a file, encrypted together with it. */
export interface ArtifactFacts {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Null if the file is a PDF. */
  readonly quality: ImageQuality | null;
  readonly barcodes: readonly Barcode[];
}

export type ArtifactRef = Pick<StoredArtifact, 'id' | 'organisationId'>;

/** The unencrypted columns of an uploaded file. */
export interface StoredArtifact extends ArtifactDescription {
  readonly id: string;
  readonly organisationId: string;
  readonly mimeType: ArtifactMimeType;
  readonly sizeBytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly pages: number | null;
  readonly state: ArtifactState;
  readonly customerId: string | null;
  readonly unlinkedReason: string | null;
  readonly receivedBy: string;
  readonly createdAt: Date;
  readonly retainUntil: Date;
}

/** An artifact without its encrypted inspection results. */
export interface Artifact extends StoredArtifact {
  readonly owner: ArtifactOwner;
  readonly subject: SubjectRef;
  readonly hasView: boolean;
}

/** An artifact with its decrypted inspection results; `facts` is null when the person was erased. */
export interface KnownArtifact extends Artifact {
  readonly facts: ArtifactFacts | null;
}

/** The upload limits per owner. The specification sets none; docs/uploads.md documents these. */
export interface ArtifactLimits {
  readonly fileBytes: number;
  readonly files: number;
  readonly totalBytes: number;
}

const MIB = 1_024 * 1_024;
export const DEFAULT_LIMITS: ArtifactLimits = { fileBytes: 10 * MIB, files: 20, totalBytes: 60 * MIB };

export const MAX_PAGES = 50;
