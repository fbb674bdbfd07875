import { View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import { artifactKinds, artifactMimeTypes, artifactSides, type KnownArtifact } from '../domain/artifact.js';

export class ImageQualityView {
  @View.number('Variance of the Laplacian at 1,024 pixels; below 100 it looks blurred.', { example: 412.7 })
  sharpness: number;

  @View.number('Share of burnt-out pixels, 0 to 1.', { example: 0.0123 }) glare: number;
  @View.number('Mean luma, 0 to 255.', { example: 131.2 }) brightness: number;
  @View.number('Standard deviation of the luma.', { example: 54.9 }) contrast: number;
  @View.number('Sharpness of the strongest edges; below 0.6 print is blurred.', { example: 1.48 })
  focus: number;
  @View.number('Share of squares in which there is anything, 0 to 1.', { example: 0.31 }) detail: number;
  @View.number('Share of squares with strokes like print, 0 to 1.', { example: 0.16 }) print: number;
  @View.number('The largest burnt-out spot, as a share of the picture.', { example: 0 }) spot: number;
  @View.number('How much of one side the document runs out of, 0 to 1.', { example: 0 }) cut: number;
}

export class ArtifactView {
  @View.id('art', { example: 'art_019364d0c0de7000a000000000000006' }) id: string;

  @View.enum(['SESSION', 'REVIEW', 'CUSTOMER'], 'What it was uploaded to.', { example: 'SESSION' })
  ownerType: string;

  @View.enum(artifactKinds, { example: 'DOCUMENT' }) kind: string;
  @View.textOrNull({ example: 'document' }) stepId: string | null;
  @View.textOrNull({ example: 'CNH' }) documentType: string | null;
  @View.of({ enum: artifactSides, nullable: true }, { example: 'FRONT' }) side: string | null;
  @View.enum(artifactMimeTypes, { example: 'image/jpeg' }) mimeType: string;
  @View.integer({ example: 2_345_678 }) sizeBytes: number;
  @View.integerOrNull('In pixels; null for a PDF.', { example: 4_032 }) width: number | null;
  @View.integerOrNull({ example: 3_024 }) height: number | null;
  @View.integerOrNull('Null for an image.', { example: null }) pages: number | null;

  @View.textOrNull('SHA-256 of the bytes as they came; null after its person was erased.', {
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string | null;

  @View.objectOrNull(ImageQualityView) quality: ImageQualityView | null;

  @View.texts('Symbologies of the codes in the image. What they say is not shown here.', {
    example: ['QRCode'],
  })
  barcodes: string[];

  @View.enum(
    ['STORED', 'LOST', 'ERASED'],
    'LOST: the file should be there and is not. ERASED: its person was erased, and the file with it.',
    { example: 'STORED' },
  )
  state: string;

  @View.flag('Whether it is in the dossier of a customer.', { example: true }) linked: boolean;
  @View.idOrNull('cus', { example: 'cus_019364d0c0de7000a000000000000005' }) customerId: string | null;
  @View.textOrNull('Why it is not linked, as a code.', { example: null }) unlinkedReason: string | null;
  @View.instant() receivedAt: string;
  @View.instant() retainUntil: string;

  static of(artifact: KnownArtifact): ArtifactView {
    const { facts, customerId } = artifact;
    return viewOf(ArtifactView, artifact, {
      ownerType: artifact.owner.type,
      sha256: facts?.sha256 ?? null,
      quality: facts?.quality ?? null,
      barcodes: facts?.barcodes.map(({ format }) => format) ?? [],
      linked: customerId !== null,
      customerId: customerId === null ? null : publicId('cus', customerId),
      receivedAt: artifact.createdAt.toISOString(),
    });
  }
}
