import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A migration that has run; TypeORM writes it. */
@Entity('schema_migrations')
export class SchemaMigrationEntity {
  @PrimaryGeneratedColumn() id: number;
  @Column('bigint') timestamp: string;
  @Column('varchar') name: string;
}
