import { Injectable } from '@nestjs/common';
import { In, Raw, type FindOptionsWhere } from 'typeorm';
import {
  column,
  execute,
  nullable,
  properties,
  selectColumnsExcept,
  statement,
  system,
  UnitOfWork,
  type Tx,
} from '../../../platform/database/index.js';
import { Quotas, QuotaUse } from '../../../platform/quotas/index.js';
import {
  FlowEntity,
  SessionDecisionEntity,
  SessionStepEntity,
  SessionWorkEntity,
  SessionEntity,
} from './entities.js';
import type { SessionFilter, SessionResult, SessionRow } from '../domain/records.js';

const NOW = (): string => 'clock_timestamp()';
const STATUS = `CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE s.status END`;
const STORED_SESSION = selectColumnsExcept(
  SessionEntity,
  's',
  'flowId',
  'linkHash',
  'requestId',
  'status',
  'statusReason',
  'outcome',
);
const SESSION_SHAPE = {
  ...STORED_SESSION.shape,
  ...properties(SessionEntity, 'status', 'statusReason', 'outcome'),
  decidedOutcome: nullable(column(SessionDecisionEntity, 'outcome')),
  decidedAt: nullable(column(SessionDecisionEntity, 'decidedAt')),
  flowKey: column(FlowEntity, 'key'),
  flowVersion: column(FlowEntity, 'version'),
  flow: column(FlowEntity, 'definition'),
  flowSingleControl: column(FlowEntity, 'singleControl'),
};
// A session is EXPIRED from its `expires_at`, even before the sweep. A person's decision overrides the checks.
const SELECT = `SELECT ${STORED_SESSION.sql}, ${STATUS} AS status,
    CASE WHEN s.status = 'PENDING' AND s.expires_at <= clock_timestamp() THEN 'TIMEOUT' ELSE s.status_reason END
      AS "statusReason",
    coalesce(d.outcome, s.outcome) AS outcome, d.outcome AS "decidedOutcome", d.decided_at AS "decidedAt",
    f.key AS "flowKey", f.version AS "flowVersion", f.definition AS flow,
    f.single_control AS "flowSingleControl"
  FROM kyc_sessions s JOIN flows f ON f.id = s.flow_id
  LEFT JOIN LATERAL (SELECT k.outcome, k.decided_at FROM kyc_session_decisions k
                     WHERE k.organisation_id = s.organisation_id AND k.session_id = s.id
                     ORDER BY k.event_sequence DESC LIMIT 1) d ON true`;

const FIND_BY_LINK = statement('sessions.by-link', `${SELECT} WHERE s.link_hash = $1`, SESSION_SHAPE);

const FIND = statement(
  'sessions.find',
  `${SELECT} WHERE s.organisation_id = $1 AND s.id = $2`,
  SESSION_SHAPE,
);

const FIND_BY_PROTOCOL = statement(
  'sessions.by-protocol',
  `${SELECT} WHERE s.organisation_id = $1 AND s.id >= $2::uuid AND s.id < $3::uuid AND right(s.id::text, 10) = $4 LIMIT 2`,
  SESSION_SHAPE,
);

const CHILDREN = statement(
  'sessions.children',
  `${SELECT} WHERE s.organisation_id = $1 AND s.parent_session_id = $2 ORDER BY s.id`,
  SESSION_SHAPE,
);

const PAGE = statement(
  'sessions.page',
  `${SELECT} WHERE s.organisation_id = $1 AND ($2::uuid IS NULL OR s.id < $2)
       AND ($3::text IS NULL OR ${STATUS} = $3) AND ($4::uuid IS NULL OR s.customer_id = $4)
       AND ($5::text IS NULL OR f.key = $5)
     ORDER BY s.id DESC LIMIT $6`,
  SESSION_SHAPE,
);

// Each branch uses its own index. The customer's sessions are searched only if the others find none.
const FIND_SESSIONS_OF_CASE = statement(
  'sessions.of-case',
  `WITH asked AS (
     SELECT $2::uuid AS id WHERE $2::uuid IS NOT NULL
     UNION SELECT t.session_id FROM kyc_session_transactions t
       WHERE t.organisation_id = $1 AND t.transaction_ref = ANY ($3::uuid[])),
   own AS (SELECT id FROM kyc_sessions WHERE organisation_id = $1 AND customer_id = $4
             AND NOT EXISTS (SELECT FROM asked) ORDER BY id DESC LIMIT $5)
   ${SELECT} WHERE s.organisation_id = $1 AND s.id IN (SELECT id FROM asked UNION SELECT id FROM own)
   ORDER BY s.id DESC LIMIT $5`,
  SESSION_SHAPE,
);

const HOLD_OPEN = statement(
  'sessions.hold-open',
  `SELECT status, expires_at <= clock_timestamp() AS over FROM kyc_sessions
   WHERE id = $1 AND organisation_id = $2 FOR SHARE`,
  { ...properties(SessionEntity, 'status'), over: 'boolean' },
);

const FIND_OVERDUE = statement(
  'sessions.overdue',
  `${SELECT} WHERE s.status = 'PENDING' AND s.expires_at <= clock_timestamp() ORDER BY s.expires_at LIMIT $1`,
  SESSION_SHAPE,
);

@Injectable()
export class SessionRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly quotas: Quotas,
  ) {}

  /** Throws QUOTA_EXCEEDED if the organisation has reached its limit of open sessions. */
  async requireQuota(organisationId: string): Promise<void> {
    await this.quotas.requireRoom(organisationId, 'sessionsOpen');
  }

  @QuotaUse('sessionsOpen')
  async countOpen(organisationId: string): Promise<number> {
    return this.uow.read(organisationId, (db) =>
      db.countBy(SessionEntity, { organisationId, status: In(['PENDING', 'PROCESSING']) }),
    );
  }

  /** Returns the session with this link, of any organisation. */
  async findByLink(hash: Buffer): Promise<SessionRow | null> {
    const rows = await this.uow.rows(system('sessions.by-link'), FIND_BY_LINK, [hash]);
    return rows[0] ?? null;
  }

  async find(organisationId: string, id: string): Promise<SessionRow | null> {
    const rows = await this.uow.rows(organisationId, FIND, [organisationId, id]);
    return rows[0] ?? null;
  }

  /** Returns the session created in this range with an id that ends in `end`; null unless exactly one matches. */
  async findByProtocol(
    organisationId: string,
    { from, until, end }: { readonly from: string; readonly until: string; readonly end: string },
  ): Promise<SessionRow | null> {
    const rows = await this.uow.rows(organisationId, FIND_BY_PROTOCOL, [organisationId, from, until, end]);
    return rows.length === 1 ? (rows[0] ?? null) : null;
  }

  async listCompanyPeople(organisationId: string, parentId: string): Promise<SessionRow[]> {
    return this.uow.rows(organisationId, CHILDREN, [organisationId, parentId]);
  }

  async listByCase(
    organisationId: string,
    of: {
      readonly sessionRef: string | null;
      readonly customerId: string | null;
      readonly transactionRefs: readonly string[];
    },
    most: number,
  ): Promise<SessionRow[]> {
    return this.uow.rows(organisationId, FIND_SESSIONS_OF_CASE, [
      organisationId,
      of.sessionRef,
      of.transactionRefs,
      of.customerId,
      most,
    ]);
  }

  /** Sessions, newest first. */
  async page(
    organisationId: string,
    { status, customerId, flowKey }: SessionFilter,
    before: string | null,
    limit: number,
  ): Promise<SessionRow[]> {
    return this.uow.rows(organisationId, PAGE, [
      organisationId,
      before,
      status ?? null,
      customerId ?? null,
      flowKey ?? null,
      limit,
    ]);
  }

  /** Submits: PENDING to PROCESSING; null if the session has expired or another submission was first. */
  async submit(
    tx: Tx,
    { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>,
    submission: Pick<SessionEntity, 'submissionHash' | 'answersSealed' | 'subjectIndex' | 'extrasSealed'>,
  ): Promise<Date | null> {
    const { affected } = await tx.update(
      SessionEntity,
      { id, organisationId, status: 'PENDING', expiresAt: Raw((at) => `${at} > clock_timestamp()`) },
      { ...submission, status: 'PROCESSING', submittedAt: NOW },
    );
    if (affected === 0) return null;
    await tx.delete(SessionStepEntity, { organisationId, sessionId: id });
    await tx.insert(SessionWorkEntity, { sessionId: id, organisationId });
    const submittedRow = { select: { id: true, submittedAt: true }, where: { id, organisationId } };
    return (await tx.findOneOrFail(SessionEntity, submittedRow)).submittedAt;
  }

  /** Returns whether the session accepts input, and locks that state until the transaction ends. */
  async lockOpen(
    tx: Tx,
    { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>,
  ): Promise<'OPEN' | 'SUBMITTED' | 'OVER'> {
    const [row] = await execute(tx, HOLD_OPEN, [id, organisationId]);
    if (row?.status === 'PROCESSING' || row?.status === 'COMPLETED') return 'SUBMITTED';
    return row?.status === 'PENDING' && !row.over ? 'OPEN' : 'OVER';
  }

  /** Cancels: PENDING to EXPIRED; false if the session is no longer PENDING. */
  async cancel(tx: Tx, organisationId: string, id: string): Promise<boolean> {
    return end(tx, { id, organisationId }, 'CANCELLED');
  }

  /** Finds expired sessions that the sweep has not ended, the oldest first. */
  async findOverdue(limit: number): Promise<SessionRow[]> {
    return this.uow.rows(system('sessions.sweep'), FIND_OVERDUE, [limit]);
  }

  /** Expires: PENDING to EXPIRED after `expires_at`; false if the session has ended already. */
  async expire(tx: Tx, { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>): Promise<boolean> {
    return end(tx, { id, organisationId, expiresAt: Raw((at) => `${at} <= clock_timestamp()`) }, 'TIMEOUT');
  }

  /**
   * Returns the session to PENDING for a resubmission; false unless it is still in this round and in `from`. The
   * evidence stays, because conditions read it. The outcome is reset.
   */
  async reopen(
    tx: Tx,
    { id, organisationId, round }: Pick<SessionRow, 'id' | 'organisationId' | 'round'>,
    from: 'PROCESSING' | 'COMPLETED',
    { evidence, minutes }: { readonly evidence: SessionResult['evidence']; readonly minutes: number },
  ): Promise<boolean> {
    const { affected } = await tx.update(
      SessionEntity,
      { id, organisationId, round, status: from },
      {
        ...{ status: 'PENDING', statusReason: null, submittedAt: null, submissionHash: null, endedAt: null },
        ...{ outcome: null, riskScore: null, composition: null, defensible: null, nonDefensibleReasons: [] },
        evidence: [...evidence],
        round: round + 1,
        expiresAt: () =>
          `greatest(expires_at, clock_timestamp() + make_interval(mins => ${Math.floor(minutes)}))`,
      },
    );
    return affected === 1;
  }

  /** Ends a resubmission round that nobody submitted: PENDING to PROCESSING, for checks of the evidence so far. */
  async expireRound(
    tx: Tx,
    { id, organisationId, round }: Pick<SessionRow, 'id' | 'organisationId' | 'round'>,
    now: boolean,
  ): Promise<boolean> {
    const dueFilter = now ? {} : { expiresAt: Raw((at: string) => `${at} <= clock_timestamp()`) };
    const { affected } = await tx.update(
      SessionEntity,
      { id, organisationId, round, status: 'PENDING', ...dueFilter },
      { status: 'PROCESSING', submittedAt: NOW },
    );
    if (affected !== 1) return false;
    await tx.delete(SessionStepEntity, { organisationId, sessionId: id });
    await tx.insert(SessionWorkEntity, { sessionId: id, organisationId });
    return true;
  }

  /** Ends: PROCESSING to COMPLETED with the result; false if the session is no longer PROCESSING. */
  async conclude(
    tx: Tx,
    { id, organisationId }: Pick<SessionRow, 'id' | 'organisationId'>,
    { nonDefensibleReasons, evidence, ...result }: SessionResult,
    customerId: string,
  ): Promise<boolean> {
    const { affected } = await tx.update(
      SessionEntity,
      { id, organisationId, status: 'PROCESSING' },
      {
        ...result,
        nonDefensibleReasons: [...nonDefensibleReasons],
        evidence: [...evidence],
        customerId,
        status: 'COMPLETED',
        statusReason: 'CHECKED',
        endedAt: NOW,
      },
    );
    return affected === 1;
  }
}

async function end(
  tx: Tx,
  which: FindOptionsWhere<SessionEntity> & { readonly id: string },
  statusReason: 'CANCELLED' | 'TIMEOUT',
): Promise<boolean> {
  const { affected } = await tx.update(
    SessionEntity,
    // A session that was submitted once ends with a result, even if a later round expires.
    { ...which, status: 'PENDING', round: 1 },
    { status: 'EXPIRED', statusReason, endedAt: NOW },
  );
  if (affected === 1) await tx.delete(SessionStepEntity, { sessionId: which.id });
  return affected === 1;
}
