import { Injectable } from '@nestjs/common';
import {
  AuditTrail,
  TrailContract,
  type AuditAction,
  type AuditContent,
  type AuditSubject,
  type TrailEntry,
  type TrailExpectation,
  type TrailGap,
  expectationOf,
} from '../audit/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { permissionsOf, type Role } from '../../platform/http/index.js';
import { policyOf } from './domain/acts.js';
import { ApprovalEntity } from './store/entities.js';

/** Actions of entries about an operator that show what the operator was allowed to do at that time. */
const ACCESS: readonly AuditAction[] = [
  'operator.created',
  'operator.updated',
  'operator.disabled',
  'operator.enabled',
];
/** No session lasts longer than this after its login. */
export const LONGEST_SESSION_MS = 7 * 24 * 3_600_000;

/** Declares which audit actions the trail of a request may have, and which action is the last in each status. */
@Injectable()
export class ApprovalContract {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
  ) {}

  @TrailContract('approval')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ApprovalEntity, { organisationId, id }),
    );
    if (!row) return null;
    return { ...expectationOf('approval', row), found: await this.findForeignApprover(row) };
  }

  /**
   * Finds a gap if, by the trail of the approver, the approver was disabled at that time, had no role for the act, or
   * had not logged in: somebody had changed a row and put it back.
   */
  private async findForeignApprover({
    organisationId,
    id,
    act,
    decidedBy,
  }: ApprovalEntity): Promise<TrailGap[]> {
    if (decidedBy === null) return [];
    const subject = { organisationId, type: 'approval', id } as const;
    const [approved] = await this.audit.readEntries(subject, ['approval.approved']);
    if (!approved) return [];
    const approver = { organisationId, type: 'operator', id: decidedBy } as const;
    const since = new Date(approved.recordedAt.getTime() - LONGEST_SESSION_MS);
    const history = [
      ...(await this.audit.readEntries(approver, ACCESS)),
      ...(await this.audit.readEntries(approver, ['operator.logged_in'], since)),
    ];
    const before = history.filter(({ recordedAt }) => recordedAt <= approved.recordedAt);
    const detail = faultOf(approved, before, policyOf(act).approve);
    return detail === null ? [] : [{ kind: 'STATE_MISMATCH', seq: approved.seq, detail }];
  }
}

function faultOf(
  { content }: TrailEntry,
  before: readonly TrailEntry[],
  permission: ReturnType<typeof policyOf>['approve'],
): string | null {
  const { approverRoles, approverSession } = content;
  const status = before.findLast(({ action }) => /(?:disabled|enabled)$/.test(action))?.action;
  if (status === 'operator.disabled') return 'it was approved by somebody who was disabled then';
  const requestedRoles = before.flatMap((entry) => rolesIn(entry.content['roles'])).at(-1) ?? [];
  const [shown] = rolesIn(approverRoles);
  // Roles are compared as they were: what a role may do changes with a release.
  const isOwn =
    shown === undefined
      ? permissionsOf(requestedRoles as readonly Role[]).has(permission)
      : shown.toSorted().join() === requestedRoles.toSorted().join();
  if (!isOwn) return 'it was approved with a role that nobody had given';
  const login = before.some(
    ({ action, content: said }) => action === 'operator.logged_in' && said['session'] === approverSession,
  );
  return approverSession === undefined || login ? null : 'it was approved in a session of no login';
}

const rolesIn = (said: AuditContent[string] | undefined): readonly (readonly string[])[] =>
  said === undefined || said === null || typeof said !== 'object' ? [] : [said];
