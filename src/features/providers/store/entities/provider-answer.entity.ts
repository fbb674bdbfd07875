import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Unregulated } from '../../../../platform/database/regulated/regulated.js';

/** A provider's answer about a session, stored so that no call is paid twice; encrypted under the person's key. */
@Unregulated('an answer that is kept until the session has its result, which is bound')
@Entity('provider_answers')
export class ProviderAnswerEntity {
  @PrimaryColumn('uuid') organisationId: string;
  @PrimaryColumn('uuid') sessionId: string;
  @PrimaryColumn('integer') round: number;
  @PrimaryColumn('text') kind: string;
  @PrimaryColumn('text') provider: string;
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) answeredAt: Date;
}
