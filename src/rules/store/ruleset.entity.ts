import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RulesetOrigin, RulesetStatus } from '../domain/life-cycle.js';
import type { RulesetDefinition } from '../language/index.js';

@Entity('rulesets')
export class RulesetEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('text')
  key: string;

  @Column('integer')
  version: number;

  @Column('text')
  status: RulesetStatus;

  @Column('jsonb')
  content: RulesetDefinition;

  @Column('bytea', { name: 'content_hash' })
  contentHash: Buffer;

  @Column('text')
  origin: RulesetOrigin;

  /** Grows with each change of a draft, so that two editors cannot overwrite each other unseen. */
  @Column('integer')
  revision: number;

  /** Who wrote it last, as `operator:<id>` or `system:<name>`; the same form for everybody named here. */
  @Column('text')
  author: string;

  /** The version whose content a roll-back brought back. */
  @Column('integer', { name: 'rollback_of', nullable: true })
  rollbackOf: number | null;

  @Column('text', { name: 'requested_by', nullable: true })
  requestedBy: string | null;

  @Column('timestamptz', { name: 'requested_at', nullable: true })
  requestedAt: Date | null;

  @Column('text', { name: 'approved_by', nullable: true })
  approvedBy: string | null;

  @Column('timestamptz', { name: 'approved_at', nullable: true })
  approvedAt: Date | null;

  /** The finished back-test of this content that the publication rests on. */
  @Column('uuid', { name: 'backtest_id', nullable: true })
  backtestId: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'published_at', nullable: true })
  publishedAt: Date | null;

  @Column('timestamptz', { name: 'archived_at', nullable: true })
  archivedAt: Date | null;
}

/** A row as plain data. */
export type RulesetRow = Pick<RulesetEntity, keyof RulesetEntity>;
