import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RulesetContent } from '../domain/ruleset.js';

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
  status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';

  @Column('jsonb')
  content: RulesetContent;

  @Column('bytea', { name: 'content_hash' })
  contentHash: Buffer;

  @Column('timestamptz', { name: 'published_at', nullable: true })
  publishedAt: Date | null;
}
