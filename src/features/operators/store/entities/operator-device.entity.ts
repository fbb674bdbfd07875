import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A known device: a browser in which an operator has logged in. */
@Unregulated('proof of a login that ends by itself; logins are entries')
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
