import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBase64, IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { PageQuery } from '../../http/index.js';
import { publicId } from '../../kernel/index.js';
import { subjectTypes, type SubjectType } from '../domain/entry.js';
import { repairKinds, type RepairKind } from '../domain/trail.js';
import type { Reincarnation } from '../reincarnations.service.js';
import type { RepairRow, RepairStatus } from '../trail-repairs.service.js';
import { TrailGapView } from './audit.view.dto.js';

const STATUSES = ['REQUESTED', 'APPLIED', 'REFUSED'] as const;
const MAX_ENTRY_BASE64 = 262_144;

export class RepairBody {
  @ApiProperty({ enum: subjectTypes, example: 'transaction' })
  @IsIn(subjectTypes)
  subjectType: SubjectType;

  @ApiProperty({ maxLength: 128, example: 'txn_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  @IsString()
  @Length(1, 128)
  subjectId: string;

  @ApiProperty({
    enum: repairKinds,
    description:
      'RESTORE: bytes that the log has sealed. RECONSTRUCT: from what other rows say. RE_DERIVE: the same decision comes ' +
      'out again. ATTEST: it cannot be brought back, and two people answer for that.',
  })
  @IsIn(repairKinds)
  kind: RepairKind;

  @ApiProperty({
    minLength: 20,
    maxLength: 2000,
    example: 'The entry was lost when the table was edited by hand.',
  })
  @IsString()
  @Length(20, 2000)
  justification: string;

  @ApiPropertyOptional({
    description: 'The canonical bytes of the entry, base64, as a package or a backup has them; for RESTORE.',
    maxLength: MAX_ENTRY_BASE64,
  })
  @IsOptional()
  @IsBase64()
  @MaxLength(MAX_ENTRY_BASE64)
  canonical?: string;
}

export class RepairsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: STATUSES })
  @IsOptional()
  @IsIn(STATUSES)
  status?: RepairStatus;
}

export class RepairParams {
  @ApiProperty({ example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  @Matches(/^\S{1,64}$/)
  id: string;
}

export class ReincarnationBody {
  @ApiProperty({
    minLength: 20,
    maxLength: 2000,
    example: 'Restored from the backup of 19 November after a disk failure.',
  })
  @IsString()
  @Length(20, 2000)
  reason: string;
}

export class RepairView {
  @ApiProperty({ example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  id: string;

  @ApiProperty({ enum: subjectTypes })
  subjectType: string;

  @ApiProperty({ example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' })
  subjectId: string;

  @ApiProperty({ enum: repairKinds })
  kind: string;

  @ApiProperty({ enum: STATUSES })
  status: string;

  @ApiProperty({ type: [TrailGapView], description: 'The gaps that it answers.' })
  gaps: readonly TrailGapView[];

  @ApiProperty()
  justification: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What it rests on: names and digests.',
  })
  evidence: Readonly<Record<string, string>>;

  @ApiProperty({ example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  requestedBy: string;

  @ApiProperty({ format: 'date-time' })
  requestedAt: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  decidedBy: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', example: null })
  decidedAt: string | null;

  static of(row: RepairRow): RepairView {
    return {
      id: publicId('rep', row.id),
      subjectType: row.subjectType,
      subjectId: row.subjectId,
      kind: row.kind,
      status: row.status,
      gaps: [...row.gaps],
      justification: row.justification,
      evidence: row.evidence,
      requestedBy: publicId('opr', row.requestedBy),
      requestedAt: row.requestedAt.toISOString(),
      decidedBy: row.decidedBy === null ? null : publicId('opr', row.decidedBy),
      decidedAt: row.decidedAt?.toISOString() ?? null,
    };
  }
}

export class ReincarnationView {
  @ApiProperty({ example: 'rin_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  id: string;

  @ApiProperty({ enum: ['REQUESTED', 'APPROVED'] })
  status: string;

  @ApiProperty({ type: 'integer', example: 2, description: 'What the log goes on as.' })
  incarnation: number;

  @ApiProperty({ type: 'integer', example: 4_711, description: 'Entries of the restored log.' })
  restoredSize: number;

  @ApiProperty({ type: 'integer', example: 5_012, description: 'Entries that were handed out.' })
  anchorSize: number;

  @ApiProperty({ description: 'Root over the entries that were handed out, base64.' })
  anchorRoot: string;

  @ApiProperty()
  reason: string;

  @ApiProperty({ example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  requestedBy: string;

  @ApiProperty({ format: 'date-time' })
  requestedAt: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  approvedBy: string | null;

  static of(row: Reincarnation): ReincarnationView {
    return {
      id: publicId('rin', row.id),
      status: row.status,
      incarnation: row.incarnation,
      restoredSize: row.restoredSize,
      anchorSize: row.anchorSize,
      anchorRoot: row.anchorRoot.toString('base64'),
      reason: row.reason,
      requestedBy: publicId('opr', row.requestedBy),
      requestedAt: row.requestedAt.toISOString(),
      approvedBy: row.approvedBy === null ? null : publicId('opr', row.approvedBy),
    };
  }
}
