import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A counter of failed logins; the key is a hash of the account, address or device. */
@Unregulated('proof of a login that ends by itself; logins are entries')
@Entity('operator_login_throttles')
export class LoginThrottleEntity {
  @PrimaryColumn('bytea') key: Buffer;
  @Column('integer') failures: number;
  @Column('timestamptz') lastFailureAt: Date;
  @Column('timestamptz') blockedUntil: Date;
}
