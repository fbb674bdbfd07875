import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { Unregulated } from '../regulated/regulated.js';

/** A migration that has run; TypeORM writes it. */
@Unregulated('which migrations ran')
@Entity('schema_migrations')
export class SchemaMigrationEntity {
  @PrimaryGeneratedColumn() id: number;
  @Column('bigint') timestamp: string;
  @Column('varchar') name: string;
}

export const databaseEntities = [SchemaMigrationEntity];
