import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A browser that an operator has logged in with. */
@Entity('operator_devices')
export class OperatorDeviceEntity {
  @PrimaryColumn('uuid') id: string;
  @PrimaryColumn('uuid') organisationId: string;
  @Column('uuid') operatorId: string;
  @Column('bytea') hash: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) lastUsedAt: Date;
  @Column('timestamptz') expiresAt: Date;
}
