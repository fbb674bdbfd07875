import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed logins of an account, address or device, by its hash. */
@Entity('operator_login_throttles')
export class LoginThrottleEntity {
  @PrimaryColumn('bytea') key: Buffer;
  @Column('integer') failures: number;
  @Column('timestamptz') lastFailureAt: Date;
  @Column('timestamptz') blockedUntil: Date;
}
