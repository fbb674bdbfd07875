import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Reader, type Tx } from '../../platform/database/index.js';
import { OperatorLookup, type OperatorPrincipal } from '../../platform/http/index.js';
import { DomainError, errorAt } from '../../platform/kernel/index.js';
import type { Approval } from './approval-handlers.js';
import { actNames, policyOf } from './domain/acts.js';
import { permissionMissing } from './approval-rights.js';
import { controlOf, type Control } from './domain/control.js';
import {
  dependentPairs,
  wasApproverRemoved,
  independentApprovers,
  isEnabledOperator,
  allowsSingleControl,
} from './store/approval.statements.js';

export interface ApprovalConsent {
  /** SHA-256 of the change, in hexadecimal, as the request shows it. */
  readonly digest: string;
  /** True to approve alone if nobody else may approve. The request is then marked with `singleControl`. */
  readonly singleControl?: boolean | undefined;
}

/** Decides who may approve a request: a person with the permission who is independent of the requester. */
@Injectable()
export class SecondPersonService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly operators: OperatorLookup,
  ) {}

  /** Throws for a machine account: a person who holds its secret could request with it and approve as themselves. */
  async requirePerson(tx: Tx, organisationId: string, operatorId: string): Promise<void> {
    if (await isEnabledOperator(tx, organisationId, operatorId)) return;
    throw errorAt(
      'FOUR_EYES_REQUIRED',
      '',
      'PEOPLE_ONLY',
      'A person asks for this, and another one approves.',
    );
  }

  /** Returns true if the operator approves alone (single control); throws FOUR_EYES_REQUIRED if that is not allowed. */
  async checkIndependence(
    tx: Tx,
    { organisationId, requestedBy, act }: Approval,
    operator: OperatorPrincipal,
    { singleControl = false }: ApprovalConsent,
  ): Promise<boolean> {
    if (operator.kind !== 'PERSON') throw new DomainError('FOUR_EYES_REQUIRED');
    const { approve } = policyOf(act);
    const otherOperators = (await this.operators.listEnabled(organisationId)).filter(
      ({ kind, permissions }) => kind === 'PERSON' && permissions.has(approve),
    );
    const candidates = otherOperators.map(({ id }) => id);
    // Somebody may have disabled the account or taken its roles since the request began.
    if (!candidates.includes(operator.id)) throw permissionMissing(approve);
    const independent = await independentApprovers(tx, organisationId, act, requestedBy, candidates);
    if (independent.has(operator.id)) return false;
    const nobodyElse = candidates.every((id) => !independent.has(id));
    const removed =
      nobodyElse && (await wasApproverRemoved(tx, organisationId, act, requestedBy, operator.id));
    const alone = nobodyElse && !removed;
    if (singleControl && alone) return true;
    throw new DomainError('FOUR_EYES_REQUIRED', {
      details: [
        operator.id === requestedBy
          ? { path: '', code: 'SAME_PERSON', message: 'Who asked cannot approve.' }
          : {
              path: '',
              code: 'NOT_INDEPENDENT',
              message: 'Within 30 days one of you gave the other what this act needs.',
            },
        ...(removed
          ? [
              {
                path: 'singleControl',
                code: 'TOOK_SOMEBODY_AWAY',
                message:
                  'Within 30 days nobody decides alone who disabled somebody or took roles away, nor anybody what that ' +
                  'person could have approved.',
              },
            ]
          : []),
        ...(alone
          ? [
              {
                path: 'singleControl',
                code: 'NOBODY_ELSE',
                message: 'Nobody independent may approve this; with true the request says so.',
              },
            ]
          : []),
      ],
    });
  }

  /** Throws FOUR_EYES_REQUIRED unless the organisation allows single control, by which one person decides alone. */
  async requireSingleControl(db: Reader, organisationId: string): Promise<void> {
    if (await allowsSingleControl(db, organisationId)) return;
    const message =
      'Nobody approves alone: the case stays open, until a second person is there or the installation declares the ' +
      'organisation single-handed.';
    const details = [{ path: 'singleControl', code: 'NOT_SINGLE_HANDED', message }];
    throw new DomainError('FOUR_EYES_REQUIRED', { details });
  }

  async allowsSingleControl(organisationId: string): Promise<boolean> {
    return this.uow.read(organisationId, (db) => allowsSingleControl(db, organisationId));
  }

  /**
   * Finds who would decide alone: the acts for which no two independent people exist, and for each person the acts that
   * only they could approve if they asked, with the people who do not count as a second one for them.
   */
  async findControl(organisationId: string): Promise<Control> {
    const people = (await this.operators.listEnabled(organisationId)).filter(({ kind }) => kind === 'PERSON');
    const pairs = await this.uow.read(organisationId, (db) => dependentPairs(db, organisationId, actNames));
    return controlOf(people, pairs);
  }
}
