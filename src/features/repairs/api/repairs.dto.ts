import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBase64, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { Field, PageQuery, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import {
  repairKinds,
  subjectTypes,
  TrailGapView,
  type LogRestart,
  type RepairKind,
  type RepairRow,
  type RepairStatus,
  type SubjectType,
} from '../../audit/index.js';

const STATUSES = ['REQUESTED', 'APPLIED', 'REFUSED'] as const;
const MAX_ENTRY_BASE64 = 262_144;

export class RepairBody {
  @Field.enum(subjectTypes, { example: 'transaction' }) subjectType: SubjectType;

  @ApiProperty({ maxLength: 128, example: 'txn_01999e8e7c4a7a0e8a1b2c3d4e5f6071' })
  @IsString()
  @Length(1, 128)
  subjectId: string;

  @Field.enum(
    repairKinds,
    'RESTORE: bytes that the log has sealed. RECONSTRUCT: from what other rows say. RE_DERIVE: the same decision comes ' +
      'out again. ATTEST: it cannot be brought back, and two people answer for that.',
  )
  kind: RepairKind;

  @Field.string({
    minLength: 20,
    maxLength: 2000,
    example: 'The entry was lost when the table was edited by hand.',
  })
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
  @Field.enum(STATUSES, { optional: true }) status?: RepairStatus;
}

export class RepairParams {
  @Field.matching(/^\S{1,64}$/, { example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) id: string;
}

export class LogRestartBody {
  @Field.string({
    minLength: 20,
    maxLength: 2000,
    example: 'Restored from the backup of 19 November after a disk failure.',
  })
  reason: string;
}

export class RepairView {
  @View.id('rep', { example: 'rep_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) id: string;
  @View.enum(subjectTypes) subjectType: string;
  @View.text({ example: '01999e8e-7c4a-7a0e-8a1b-2c3d4e5f6071' }) subjectId: string;
  @View.enum(repairKinds) kind: string;
  @View.enum(STATUSES) status: string;
  @View.list(TrailGapView, 'The gaps that it answers.') gaps: readonly TrailGapView[];
  @View.text() justification: string;

  @View.textByName('What it rests on: names and digests.')
  evidence: Readonly<Record<string, string>>;

  @View.id('opr', { example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) requestedBy: string;
  @View.instant() requestedAt: string;
  @View.textOrNull({ example: null }) decidedBy: string | null;
  @View.instantOrNull({ example: null }) decidedAt: string | null;

  static of(row: RepairRow): RepairView {
    return viewOf(RepairView, row, {
      gaps: row.gaps.map((gap) => TrailGapView.of(gap)),
      decidedBy: row.decidedBy === null ? null : publicId('opr', row.decidedBy),
    });
  }
}

export class LogRestartView {
  @View.id('rin', { example: 'rin_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) id: string;
  @View.enum(['REQUESTED', 'APPROVED', 'REFUSED']) status: string;
  @View.integer('What the log goes on as.', { example: 2 }) incarnation: number;
  @View.integer('Entries of the restored log.', { example: 4_711 }) restoredSize: number;
  @View.integer('Entries that were handed out.', { example: 5_012 }) anchorSize: number;
  @View.text('Root over the entries that were handed out, base64.') anchorRoot: string;
  @View.text() reason: string;
  @View.id('opr', { example: 'opr_01999e8e7c4a7a0e8a1b2c3d4e5f6071' }) requestedBy: string;
  @View.instant() requestedAt: string;
  @View.textOrNull({ example: null }) approvedBy: string | null;

  static of(row: LogRestart): LogRestartView {
    return viewOf(LogRestartView, row, {
      restoredSize: Number(row.restoredSize),
      anchorSize: Number(row.anchorSize),
      anchorRoot: row.anchorRoot.toString('base64'),
      approvedBy: row.approvedBy === null ? null : publicId('opr', row.approvedBy),
    });
  }
}
