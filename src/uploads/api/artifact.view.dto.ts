import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/index.js';
import { artifactKinds, artifactMimeTypes, artifactSides, type KnownArtifact } from '../domain/artifact.js';

export class ImageQualityView {
  @ApiProperty({
    example: 412.7,
    description: 'Variance of the Laplacian at 1,024 pixels; below 100 it looks blurred.',
  })
  sharpness: number;

  @ApiProperty({ example: 0.0123, description: 'Share of burnt-out pixels, 0 to 1.' })
  glare: number;

  @ApiProperty({ example: 131.2, description: 'Mean luma, 0 to 255.' })
  brightness: number;

  @ApiProperty({ example: 54.9, description: 'Standard deviation of the luma.' })
  contrast: number;
}

export class ArtifactView {
  @ApiProperty({ example: 'art_019364d0c0de7000a000000000000006' })
  id: string;

  @ApiProperty({
    enum: ['SESSION', 'REVIEW', 'CUSTOMER'],
    example: 'SESSION',
    description: 'What it was uploaded to.',
  })
  ownerType: string;

  @ApiProperty({ enum: artifactKinds, example: 'DOCUMENT' })
  kind: string;

  @ApiProperty({ type: String, nullable: true, example: 'document' })
  stepId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'CNH' })
  documentType: string | null;

  @ApiProperty({ enum: artifactSides, nullable: true, example: 'FRONT' })
  side: string | null;

  @ApiProperty({ enum: artifactMimeTypes, example: 'image/jpeg' })
  mimeType: string;

  @ApiProperty({ type: 'integer', example: 2_345_678 })
  sizeBytes: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 4_032, description: 'In pixels; null for a PDF.' })
  width: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 3_024 })
  height: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Null for an image.' })
  pages: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'SHA-256 of the bytes as they came; null after its person was erased.',
  })
  sha256: string | null;

  @ApiProperty({ type: ImageQualityView, nullable: true })
  quality: ImageQualityView | null;

  @ApiProperty({
    type: [String],
    example: ['QRCode'],
    description: 'Symbologies of the codes in the image. What they say is not shown here.',
  })
  barcodes: string[];

  @ApiProperty({
    enum: ['STORED', 'LOST', 'ERASED'],
    example: 'STORED',
    description:
      'LOST: the file should be there and is not. ERASED: its person was erased, and the file with it.',
  })
  state: string;

  @ApiProperty({ example: true, description: 'Whether it is in the dossier of a customer.' })
  linked: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'cus_019364d0c0de7000a000000000000005' })
  customerId: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Why it is not linked, as a code.',
  })
  unlinkedReason: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  receivedAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  retainUntil: string;

  static of(artifact: KnownArtifact): ArtifactView {
    const { facts, customerId } = artifact;
    return {
      id: publicId('art', artifact.id),
      ownerType: artifact.owner.type,
      kind: artifact.kind,
      stepId: artifact.stepId,
      documentType: artifact.documentType,
      side: artifact.side,
      mimeType: artifact.mimeType,
      sizeBytes: artifact.sizeBytes,
      width: artifact.width,
      height: artifact.height,
      pages: artifact.pages,
      sha256: facts?.sha256 ?? null,
      quality: facts?.quality ?? null,
      barcodes: facts?.barcodes.map(({ format }) => format) ?? [],
      state: artifact.state,
      linked: customerId !== null,
      customerId: customerId === null ? null : publicId('cus', customerId),
      unlinkedReason: artifact.unlinkedReason,
      receivedAt: artifact.createdAt.toISOString(),
      retainUntil: artifact.retainUntil.toISOString(),
    };
  }
}
