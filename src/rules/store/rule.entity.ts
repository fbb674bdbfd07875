import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RuleDefinition } from '../language/index.js';

/** A version of a rule: a draft that can be changed, or released for good. */
@Entity('rules')
export class RuleEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'organisation_id' })
  organisationId: string;

  @Column('text')
  key: string;

  @Column('integer')
  version: number;

  @Column('text')
  status: 'DRAFT' | 'RELEASED';

  @Column('integer')
  revision: number;

  @Column('jsonb')
  content: RuleDefinition;

  @Column('bytea', { name: 'content_hash' })
  contentHash: Buffer;

  /** Who wrote it last, as `operator:<id>` or `system:<name>`. */
  @Column('text')
  author: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;

  @Column('timestamptz', { name: 'released_at', nullable: true })
  releasedAt: Date | null;
}

/** A row as plain data. */
export type RuleRow = Pick<RuleEntity, keyof RuleEntity>;
