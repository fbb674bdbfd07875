import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  statement,
  system,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { CustomerVerificationEntity, ReverificationTermsEntity } from './entities.js';

const DUE_SHAPE = {
  customerId: column(CustomerVerificationEntity, 'customerId'),
  organisationId: column(CustomerVerificationEntity, 'organisationId'),
  flowKey: column(ReverificationTermsEntity, 'flowKey'),
} as const;

/** A customer whose re-verification is due. */
export type DueVerification = RowOf<typeof DUE_SHAPE>;

// Without a level of risk, the terms of high risk apply. A customer with an open session is not asked.
const FIND_DUE_VERIFICATIONS = statement(
  'sessions.due-verifications',
  `SELECT v.customer_id AS "customerId", v.organisation_id AS "organisationId", r.flow_key AS "flowKey"
   FROM customer_verifications v
   JOIN reverification_terms r ON r.organisation_id = v.organisation_id AND r.enabled
   JOIN customers c ON c.id = v.customer_id AND c.organisation_id = v.organisation_id
   WHERE v.asked_session_id IS NULL AND c.erased_at IS NULL AND c.merged_into IS NULL
     AND c.relationship_ended_on IS NULL AND c.restricted_at IS NULL
     AND (v.verified_at + make_interval(months => CASE c.risk_level WHEN 'LOW' THEN r.low_months
            WHEN 'MEDIUM' THEN r.medium_months ELSE r.high_months END) <= clock_timestamp()
          OR v.document_expires_on <= (clock_timestamp() AT TIME ZONE 'America/Sao_Paulo')::date + r.document_days)
     AND NOT EXISTS (SELECT FROM kyc_sessions s WHERE s.organisation_id = v.organisation_id
       AND s.customer_id = v.customer_id AND s.status IN ('PENDING', 'PROCESSING'))
   ORDER BY v.verified_at LIMIT $1`,
  DUE_SHAPE,
);

const UPSERT_VERIFICATION = statement(
  'sessions.verified',
  `INSERT INTO customer_verifications AS v (customer_id, organisation_id, session_id, verified_at, document_expires_on)
   VALUES ($1, $2, $3, $4, $5::date)
   ON CONFLICT (customer_id, organisation_id) DO UPDATE SET
     session_id = excluded.session_id, verified_at = excluded.verified_at, asked_session_id = NULL,
     document_expires_on = coalesce(excluded.document_expires_on, v.document_expires_on)
   WHERE excluded.verified_at >= v.verified_at`,
);

// Clears the request 7 days after its session expired, so that the customer is asked once more.
const ASKED_IN_VAIN = statement(
  'sessions.asked-in-vain',
  `UPDATE customer_verifications v SET asked_session_id = NULL FROM kyc_sessions s
   WHERE s.id = v.asked_session_id AND s.organisation_id = v.organisation_id AND s.status = 'EXPIRED'
     AND s.ended_at < clock_timestamp() - interval '7 days'`,
);

/** Stores when customers were verified, and finds customers whose next verification is due. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Clears requests whose session expired 7 days ago, then returns up to `limit` due verifications. */
  async findDue(limit: number): Promise<DueVerification[]> {
    return this.uow.run(system('sessions.reverification'), async (tx) => {
      await execute(tx, ASKED_IN_VAIN, []);
      return execute(tx, FIND_DUE_VERIFICATIONS, [limit]);
    });
  }

  /** Records a verification, in the commit of its session. */
  async recordVerification(
    tx: Tx,
    row: Pick<
      CustomerVerificationEntity,
      'customerId' | 'organisationId' | 'sessionId' | 'verifiedAt' | 'documentExpiresOn'
    >,
  ): Promise<void> {
    const { customerId, organisationId, sessionId, verifiedAt, documentExpiresOn } = row;
    await execute(tx, UPSERT_VERIFICATION, [
      customerId,
      organisationId,
      sessionId,
      verifiedAt,
      documentExpiresOn,
    ]);
  }

  /** Records the session that requests the re-verification of a customer. */
  async recordReverificationSession(
    tx: Tx,
    organisationId: string,
    customerId: string,
    sessionId: string,
  ): Promise<void> {
    await tx.update(
      CustomerVerificationEntity,
      { organisationId, customerId },
      { askedSessionId: sessionId },
    );
  }

  async findByCustomer(
    organisationId: string,
    customerId: string,
  ): Promise<CustomerVerificationEntity | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(CustomerVerificationEntity, { organisationId, customerId }),
    );
  }
}
