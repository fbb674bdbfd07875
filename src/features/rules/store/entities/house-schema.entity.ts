import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Regulated } from '../../../../platform/database/regulated/regulated.js';
import type { HouseFieldDefinition } from '../../domain/house/house-schema.js';

/** A version of the house fields; the newest is in force. */
@Regulated({ of: 'house_schema', by: 'id' })
@Entity('house_schemas')
export class HouseSchemaEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('integer') version: number;
  @Column('jsonb') fields: HouseFieldDefinition[];
  @Column('bytea') contentHash: Buffer;
  @Column('text') createdBy: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('boolean', { default: false }) singleControl: boolean;
}
