import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { Role } from '../../../platform/http/index.js';
import { orThrow } from '../../../platform/kernel/index.js';
import { systemActorContext } from '../call-origin.js';
import { KnownDevices } from '../login/known-devices.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorAudit } from '../operator-audit.js';
import { OperatorsService } from './operators.service.js';
import { COMMAND_LINE } from '../login/password-process.js';
import { Passwords } from '../login/passwords.js';
import { SecondFactors } from '../login/second-factors.js';
import { OperatorEntity } from '../store/entities.js';

export interface LocalPerson {
  readonly organisationId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
}

export interface NewCredentials {
  readonly password: string;
  /** Base32. */
  readonly totpSecret: string;
}

// Generates a password of 96 random bits: short enough to type.
const newPassword = (): string => randomBytes(12).toString('base64url');

/** Changes accounts from the command line, which requires access to the server. */
@Injectable()
export class LocalAccountsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly operators: OperatorsService,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly sessions: OperatorSessionsService,
    private readonly devices: KnownDevices,
    private readonly audit: OperatorAudit,
  ) {}

  /** Creates a demo operator with a random password and second factor, or resets both for an existing operator. */
  async createWithCredentials(person: LocalPerson): Promise<NewCredentials> {
    const password = newPassword();
    const passwordHash = await this.passwords.hash(password, COMMAND_LINE);
    const id =
      (await this.operators.findByEmail(person.organisationId, person.email))?.id ??
      (await this.add(person, passwordHash));
    const operator = { id, organisationId: person.organisationId };
    const { seed, store } = await this.factors.beginTotpEnrolment(operator);
    await this.uow.run(person.organisationId, async (tx) => {
      await tx.update(OperatorEntity, { id }, { passwordHash, passwordChangedAt: () => 'now()' });
      await store(tx);
      await this.factors.activateTotp(tx, await tx.findOneByOrFail(OperatorEntity, { id }), 0);
      await this.audit.record(tx, operator, 'operator.credentials_reset', systemActorContext('demo-seed'));
    });
    return { password, totpSecret: seed };
  }

  /** Resets a locked-out operator: removes the second factors and returns a new password. */
  async reset(email: string, organisationId: string | null): Promise<string> {
    const operator = await this.operators.findForCommandLine(email, organisationId);
    const password = newPassword();
    const passwordHash = await this.passwords.hash(password, COMMAND_LINE);
    await this.uow.run(operator.organisationId, async (tx) => {
      await tx.update(
        OperatorEntity,
        { id: operator.id },
        { passwordHash, passwordChangedAt: () => 'now()' },
      );
      await this.factors.reset(tx, operator);
      const sessionsEnded = await this.sessions.revokeAll(tx, operator, 'PASSWORD_CHANGED');
      await this.devices.forgetAll(tx, operator);
      await this.audit.record(tx, operator, 'operator.credentials_reset', systemActorContext('cli'), {
        sessionsEnded,
      });
    });
    return password;
  }

  private async add(person: LocalPerson, passwordHash: string): Promise<string> {
    return orThrow(
      await this.uow.run(person.organisationId, (tx) =>
        this.operators.addPerson(tx, { ...person, passwordHash }, systemActorContext('demo-seed')),
      ),
      'STATE_CONFLICT',
    );
  }
}
