import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { DiscardRequest } from '../../domain/dead-letter.js';

@Regulated({ of: 'discard', by: 'id' })
@Entity('dead_letter_discards')
export class DeadLetterDiscardEntity implements DiscardRequest {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('text', { default: 'REQUESTED' }) status: 'REQUESTED' | 'APPROVED' | 'WITHDRAWN';
  @Column('text') reason: string;
  @Column('uuid', { array: true }) transactionRefs: readonly string[];
  @Column('integer', { nullable: true }) discarded: number | null;
  @Column('text') requestedBy: string;
  @Column('timestamptz') requestedAt: Date;
  @Column('text', { nullable: true }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: Date | null;
  @Column('integer', { array: true }) generations: readonly number[];
}
