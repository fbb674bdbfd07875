import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Raw } from 'typeorm';
import { column, execute, statement, UnitOfWork } from '../../../platform/database/index.js';
import { SessionCodeEntity } from './entities.js';

/** A code expires after ten minutes, and may be sent five times and tried five times. */
export const CODE_LIMITS = { minutes: 10, sends: 5, attempts: 5, againAfterSeconds: 30 } as const;

const SEND = statement(
  'sessions.send-code',
  `INSERT INTO kyc_session_codes AS c
     (session_id, organisation_id, step_id, code_hash, address_hash, sent_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + make_interval(mins => $6))
   ON CONFLICT (session_id, step_id, organisation_id) DO UPDATE SET
     code_hash = excluded.code_hash, address_hash = excluded.address_hash, sent_at = excluded.sent_at,
     expires_at = excluded.expires_at, sends = c.sends + 1, attempts = 0, verified_at = NULL
   WHERE c.sends < $7 AND c.sent_at < clock_timestamp() - make_interval(secs => $8)
   RETURNING sends`,
  { sends: column(SessionCodeEntity, 'sends') },
);

/** Stores hashes of one-time codes. */
@Injectable()
export class CodeRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async listBySession(organisationId: string, sessionId: string): Promise<SessionCodeEntity[]> {
    return this.uow.read(organisationId, (db) => db.findBy(SessionCodeEntity, { organisationId, sessionId }));
  }

  /** Replaces the code by a new one; false after five sends, or within 30 seconds of the last send. */
  async replaceCode(
    organisationId: string,
    sessionId: string,
    code: Pick<SessionCodeEntity, 'stepId' | 'codeHash' | 'addressHash'>,
  ): Promise<boolean> {
    const { minutes, sends, againAfterSeconds } = CODE_LIMITS;
    const { stepId, codeHash, addressHash } = code;
    const values = [
      sessionId,
      organisationId,
      stepId,
      codeHash,
      addressHash,
      minutes,
      sends,
      againAfterSeconds,
    ];
    const rows = await this.uow.run(organisationId, (tx) => execute(tx, SEND, values));
    return rows.length > 0;
  }

  /** Checks a code. Every attempt counts, right or wrong. */
  async tryCode(
    organisationId: string,
    sessionId: string,
    stepId: string,
    codeHash: Buffer,
  ): Promise<'RIGHT' | 'WRONG' | 'NONE'> {
    const codeRow = { organisationId, sessionId, stepId };
    const open = {
      ...codeRow,
      verifiedAt: IsNull(),
      attempts: LessThan(CODE_LIMITS.attempts),
      expiresAt: Raw((at: string) => `${at} > clock_timestamp()`),
    };
    return this.uow.run(organisationId, async (tx) => {
      const { affected } = await tx.update(SessionCodeEntity, open, { attempts: () => 'attempts + 1' });
      const row = await tx.findOneBy(SessionCodeEntity, codeRow);
      if (affected !== 1) return row?.verifiedAt && row.codeHash.equals(codeHash) ? 'RIGHT' : 'NONE';
      if (row?.codeHash.equals(codeHash) !== true) return 'WRONG';
      await tx.update(SessionCodeEntity, codeRow, { verifiedAt: () => 'clock_timestamp()' });
      return 'RIGHT';
    });
  }
}
