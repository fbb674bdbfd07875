import { Injectable } from '@nestjs/common';
import { OPERATIONS } from '../../audit/index.js';
import { OrganisationEntity } from '../../auth/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { rateLimitedNetworksOf } from '../../../platform/http/index.js';
import { DomainError, errorAt } from '../../../platform/kernel/index.js';
import { operatorActorContext, systemActorContext, type CallOrigin } from '../call-origin.js';
import { normaliseEmail } from '../domain/email.js';
import { KnownDevices, type KnownDevice } from './known-devices.js';
import { LoginThrottle, type ThrottleKey, type CountedAttempt } from './login-throttle.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorAudit, unknownAccountSubject, type OperatorRef } from '../operator-audit.js';
import { Passwords } from './passwords.js';
import { SecondFactors, type MatchedFactor, type SecondFactorProof } from './second-factors.js';
import { LoginTokenIssuer, type LoginGrant } from '../sessions/login-token-issuer.js';
import { OperatorEntity } from '../store/entities.js';

export interface LoginAttempt extends SecondFactorProof {
  readonly email: string;
  readonly password: string;
  /** The key of the organisation. Default: the organisation of the oldest account with this address. */
  readonly organisation?: string | undefined;
  /** The device cookie's token from an earlier login. */
  readonly deviceToken?: string | undefined;
}

/** The failure counters that apply to an attempt. */
interface Counters {
  readonly password: readonly ThrottleKey[];
  readonly second: ThrottleKey;
}

interface Attempt {
  readonly email: string;
  readonly account: OperatorEntity | null;
  readonly about: OperatorRef;
  readonly device: KnownDevice | null;
  readonly counters: Counters;
  /** Delay after wrong passwords, in seconds. Does not apply to a correct password with a correct second factor. */
  readonly waitSeconds: number;
  readonly from: CallOrigin;
}

// An id that no organisation has: an unknown key then costs the same query as a known key.
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

type FailureReason = 'PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'DISABLED';

/**
 * Logs people in with password and second factor. An unknown address, an account without a password and a wrong
 * password get the same error after the same work, including the audit entry.
 */
@Injectable()
export class LoginService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly passwords: Passwords,
    private readonly factors: SecondFactors,
    private readonly throttle: LoginThrottle,
    private readonly devices: KnownDevices,
    private readonly sessions: OperatorSessionsService,
    private readonly loginTokenIssuer: LoginTokenIssuer,
    private readonly audit: OperatorAudit,
  ) {}

  /** Logs in, or throws CREDENTIALS_INVALID, TOTP_REQUIRED, OPERATOR_DISABLED, RATE_LIMITED or OVERLOADED. */
  async logIn(given: LoginAttempt, from: CallOrigin): Promise<LoginGrant> {
    const attempt = await this.recognise(given, from);
    const showsFactor =
      given.totp !== undefined || given.recoveryCode !== undefined || given.passkey !== undefined;
    // This check comes before any costly work, because most attempts of an attack end here.
    if (attempt.waitSeconds > 0 && !showsFactor) throw lockedError(attempt.waitSeconds);

    const { account } = attempt;
    const isPasswordRight = await this.passwords.verify(account?.passwordHash ?? null, given.password, {
      ip: from.ip,
      account: attempt.email,
      known: attempt.device !== null,
    });
    if (!account || !isPasswordRight) {
      throw await this.recordFailure(attempt, 'PASSWORD', attempt.counters.password);
    }

    const needsFactor = await this.factors.areSetUp(account);
    if (needsFactor && !showsFactor) throw new DomainError('TOTP_REQUIRED');
    // Counts the attempt before checking it: otherwise many concurrent attempts would all be checked.
    const countedAttempt = needsFactor
      ? await this.throttle.countAttempt(account.organisationId, attempt.counters.second)
      : null;
    if (countedAttempt?.waitSeconds) throw lockedError(countedAttempt.waitSeconds);
    const factor = await this.factors.matchProof(account, given);
    if (needsFactor && !factor) throw await this.recordFailedFactor(attempt, given, countedAttempt);
    if (attempt.waitSeconds > 0 && !factor) throw lockedError(attempt.waitSeconds);
    if (account.status === 'DISABLED') {
      await this.recordFailure(attempt, 'DISABLED', []);
      throw new DomainError('OPERATOR_DISABLED');
    }
    const grant = await this.openSession(attempt, account, factor);
    if (grant) return grant;
    const refused = await this.recordFailedFactor(attempt, given, countedAttempt);
    throw factor?.kind === 'TOTP' && refused.code === 'CREDENTIALS_INVALID' ? codeUsedError() : refused;
  }

  /** Finds account, known device and delay of an attempt. Throws RATE_LIMITED after wrong second factors. */
  private async recognise(given: LoginAttempt, from: CallOrigin): Promise<Attempt> {
    const email = normaliseEmail(given.email);
    const account = await this.findAccount(email, given.organisation);
    const knownDevice = await this.devices.find(given.deviceToken);
    const device = knownDevice && knownDevice.operatorId === account?.id ? knownDevice : null;
    const counters = this.countersOf(email, account, device, from);
    const waits = await this.throttle.readDelays([...counters.password, counters.second]);
    // Only somebody who knows the password can cause this delay, so not even the password is checked.
    const secondWait = waits.pop() ?? 0;
    if (secondWait > 0) throw lockedError(secondWait);
    const auditSubject = account ?? unknownAccountSubject(this.throttle.composeKey('account', email).hash);
    return {
      email,
      account,
      about: auditSubject,
      device,
      counters,
      waitSeconds: Math.max(0, ...waits),
      from,
    };
  }

  /**
   * The account to compare the password with. Only one account, so that neither error nor timing reveals another
   * organisation. An account with a password is preferred: only the person can have set it.
   */
  private findAccount(email: string, organisation: string | undefined): Promise<OperatorEntity | null> {
    return this.uow.read(system('operators.login'), async (db) => {
      const namedOrganisation =
        organisation === undefined ? null : await db.findOneBy(OrganisationEntity, { key: organisation });
      const accounts = await db.find(OperatorEntity, {
        where: {
          email,
          kind: 'PERSON',
          ...(organisation === undefined ? {} : { organisationId: namedOrganisation?.id ?? NO_ORGANISATION }),
        },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
      return accounts.find(({ passwordHash }) => passwordHash !== null) ?? accounts[0] ?? null;
    });
  }

  /**
   * Wrong passwords count per e-mail address, not per organisation: such a counter would reveal which organisations
   * have the account. Wrong second factors count per account, because only somebody who knows its password can cause
   * them.
   */
  private countersOf(
    email: string,
    account: OperatorEntity | null,
    device: KnownDevice | null,
    { ip }: CallOrigin,
  ): Counters {
    const accountKey = account?.id ?? email;
    if (device) {
      return {
        password: [this.throttle.composeKey('origin', email, 'device', device.id)],
        second: this.throttle.composeKey('second', accountKey, 'device', device.id),
      };
    }
    return {
      password: [
        this.throttle.composeKey('origin', email, 'ip', rateLimitedNetworksOf(ip)[0].key),
        this.throttle.composeKey('account', email),
      ],
      second: this.throttle.composeKey('second', accountKey),
    };
  }

  /** Creates the session; null if a concurrent login has used the same second factor. */
  private async openSession(
    { device, counters, from }: Attempt,
    account: OperatorEntity,
    factor: MatchedFactor | null,
  ): Promise<LoginGrant | null> {
    const strong = factor !== null;
    const createdSession = await this.uow.run(account.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) return null;
      const session = await this.sessions.createSession(tx, {
        operator: account,
        method: 'PASSWORD',
        strong,
        from,
      });
      const deviceToken = device ? null : await this.devices.remember(tx, account);
      if (device) await this.devices.extendDevice(tx, device);
      await this.throttle.clear(tx, [...counters.password, counters.second]);
      await tx.update(OperatorEntity, { id: account.id }, { lastLoginAt: () => 'now()' });
      await this.audit.record(tx, account, 'operator.logged_in', operatorActorContext(account, from), {
        method: 'PASSWORD',
        factor: factor?.kind ?? null,
        knownDevice: device !== null,
        session: session.sessionId,
      });
      return { session, deviceToken };
    });
    return (
      createdSession &&
      this.loginTokenIssuer.grant(account, createdSession.session, createdSession.deviceToken)
    );
  }

  private async recordFailedFactor(
    attempt: Attempt,
    given: SecondFactorProof,
    counted: CountedAttempt | null,
  ): Promise<DomainError> {
    return this.recordFailure(attempt, reasonOf(given), [], counted?.begins);
  }

  /** Counts and records a failure and returns the error to send. */
  private async recordFailure(
    { about, account, waitSeconds, from }: Attempt,
    reason: FailureReason,
    counters: readonly ThrottleKey[],
    lockBegan = false,
  ): Promise<DomainError> {
    const cause = systemActorContext('login', from);
    const begins = await this.uow.run(account?.organisationId ?? OPERATIONS, async (tx) => {
      const countedFailure = await this.throttle.recordFailure(tx, counters);
      await this.audit.record(tx, about, 'operator.login_failed', cause, { reason });
      const begins = countedFailure.locked || lockBegan;
      if (begins) await this.audit.record(tx, about, 'operator.login_locked', cause, { reason });
      return begins;
    });
    // The failure that starts a lock gets the error of earlier failures; during a lock every error is RATE_LIMITED.
    return waitSeconds > 0 && !begins ? lockedError(waitSeconds) : new DomainError('CREDENTIALS_INVALID');
  }
}

const reasonOf = ({ totp, passkey }: SecondFactorProof): FailureReason =>
  totp !== undefined ? 'TOTP' : passkey !== undefined ? 'PASSKEY' : 'RECOVERY_CODE';

/**
 * The error for a second factor that was used before. Only a caller with the right password and code gets this detail,
 * and the code works only once.
 */
const codeUsedError = (): DomainError =>
  errorAt(
    'CREDENTIALS_INVALID',
    'totp',
    'ALREADY_USED',
    'This code was used already; wait up to 30 seconds for the next one.',
  );

const lockedError = (waitSeconds: number): DomainError =>
  new DomainError('RATE_LIMITED', {
    retryAfterSeconds: waitSeconds,
    details: [
      { path: '', code: 'LOGIN_LOCKED', message: 'Too many failed logins; wait before the next one.' },
    ],
  });
