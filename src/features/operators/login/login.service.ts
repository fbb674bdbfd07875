import { Injectable } from '@nestjs/common';
import { OPERATIONS } from '../../audit/index.js';
import { OrganisationEntity } from '../../auth/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { networksOf } from '../../../platform/http/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { causedBy, causedBySystem, type CallOrigin } from '../call-origin.js';
import { normalEmail } from '../domain/email.js';
import { KnownDevices, type KnownDevice } from './known-devices.js';
import { LoginThrottle, type ThrottleKey, type ThrottleTurn } from './login-throttle.js';
import { OperatorSessionsService } from '../sessions/operator-sessions.service.js';
import { OperatorTrail, unknownAccount, type OperatorRef } from '../operator-trail.js';
import { Passwords } from './passwords.js';
import { SecondFactors, type FittingFactor, type ShownFactor } from './second-factors.js';
import { SessionGrants, type Grant } from '../sessions/session-grants.js';
import { OperatorEntity } from '../store/entities/operator.entity.js';

export interface LoginAttempt extends ShownFactor {
  readonly email: string;
  readonly password: string;
  /** Key of the organisation to log in to; without it the one whose account with this address is the oldest. */
  readonly organisation?: string | undefined;
  /** From an earlier login of this device. */
  readonly deviceToken?: string | undefined;
}

/** Which counters an attempt belongs to. */
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
  /** Seconds to wait because of wrong passwords; a right password with a right second factor need not. */
  readonly waitSeconds: number;
  readonly from: CallOrigin;
}

// An id that no organisation has: an unknown key is looked up like a known one.
const NO_ORGANISATION = '00000000-0000-0000-0000-000000000000';

type FailureReason = 'PASSWORD' | 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY' | 'DISABLED';

/**
 * Logs people in by password and second factor. An unknown address, an account without a password and a wrong password
 * are answered alike and cost the same work, up to the row in the trail.
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
    private readonly grants: SessionGrants,
    private readonly trail: OperatorTrail,
  ) {}

  /** Logs in, or throws CREDENTIALS_INVALID, TOTP_REQUIRED, OPERATOR_DISABLED, RATE_LIMITED or OVERLOADED. */
  async logIn(given: LoginAttempt, from: CallOrigin): Promise<Grant> {
    const attempt = await this.recognise(given, from);
    const showsFactor =
      given.totp !== undefined || given.recoveryCode !== undefined || given.passkey !== undefined;
    // Before anything costly: most of an attack ends here.
    if (attempt.waitSeconds > 0 && !showsFactor) throw locked(attempt.waitSeconds);

    const { account } = attempt;
    const right = await this.passwords.verify(account?.passwordHash ?? null, given.password, {
      ip: from.ip,
      account: attempt.email,
      known: attempt.device !== null,
    });
    if (!account || !right) throw await this.failed(attempt, 'PASSWORD', attempt.counters.password);

    const needsFactor = await this.factors.areSetUp(account);
    if (needsFactor && !showsFactor) throw new DomainError('TOTP_REQUIRED');
    // Counted before it is judged, or many at once would all be judged.
    const turn = needsFactor
      ? await this.throttle.takeTurn(account.organisationId, attempt.counters.second)
      : null;
    if (turn?.waitSeconds) throw locked(turn.waitSeconds);
    const factor = await this.factors.fitting(account, given);
    if (needsFactor && !factor) throw await this.failedFactor(attempt, given, turn);
    if (attempt.waitSeconds > 0 && !factor) throw locked(attempt.waitSeconds);
    if (account.status === 'DISABLED') {
      await this.failed(attempt, 'DISABLED', []);
      throw new DomainError('OPERATOR_DISABLED');
    }
    const grant = await this.open(attempt, account, factor);
    if (grant) return grant;
    const refused = await this.failedFactor(attempt, given, turn);
    throw factor?.kind === 'TOTP' && refused.code === 'CREDENTIALS_INVALID' ? codeUsed() : refused;
  }

  /** Finds the account, the device and how long they have to wait. */
  private async recognise(given: LoginAttempt, from: CallOrigin): Promise<Attempt> {
    const email = normalEmail(given.email);
    const account = await this.accountOf(email, given.organisation);
    const found = await this.devices.find(given.deviceToken);
    const device = found && found.operatorId === account?.id ? found : null;
    const counters = this.countersOf(email, account, device, from);
    const waits = await this.throttle.waits([...counters.password, counters.second]);
    // Anybody who causes this one knows the password, so neither it nor anything else is looked at.
    const secondWait = waits.pop() ?? 0;
    if (secondWait > 0) throw locked(secondWait);
    const about = account ?? unknownAccount(this.throttle.key('account', email).hash);
    return { email, account, about, device, counters, waitSeconds: Math.max(0, ...waits), from };
  }

  /**
   * The account that the password is compared with: one, whatever else there is with the same address, so that neither
   * the answer nor its time tells of another organisation. Only the person can have made an account with a password.
   */
  private accountOf(email: string, organisation: string | undefined): Promise<OperatorEntity | null> {
    return this.uow.read(system('operators.login'), async (db) => {
      const named =
        organisation === undefined ? null : await db.findOneBy(OrganisationEntity, { key: organisation });
      const accounts = await db.find(OperatorEntity, {
        where: {
          email,
          kind: 'PERSON',
          ...(organisation === undefined ? {} : { organisationId: named?.id ?? NO_ORGANISATION }),
        },
        order: { createdAt: 'ASC', id: 'ASC' },
      });
      return accounts.find(({ passwordHash }) => passwordHash !== null) ?? accounts[0] ?? null;
    });
  }

  /**
   * Wrong passwords are counted for the address alone: by a counter for each organisation one could ask which of them
   * knows it. Wrong second factors are the account's, because whoever causes these knows its password.
   */
  private countersOf(
    email: string,
    account: OperatorEntity | null,
    device: KnownDevice | null,
    { ip }: CallOrigin,
  ): Counters {
    const whose = account?.id ?? email;
    if (device) {
      return {
        password: [this.throttle.key('origin', email, 'device', device.id)],
        second: this.throttle.key('second', whose, 'device', device.id),
      };
    }
    return {
      password: [
        this.throttle.key('origin', email, 'ip', networksOf(ip)[0].key),
        this.throttle.key('account', email),
      ],
      second: this.throttle.key('second', whose),
    };
  }

  /** Opens the session; null when the second factor was used by somebody else in the meantime. */
  private async open(
    { device, counters, from }: Attempt,
    account: OperatorEntity,
    factor: FittingFactor | null,
  ): Promise<Grant | null> {
    const strong = factor !== null;
    const opened = await this.uow.run(account.organisationId, async (tx) => {
      if (factor && !(await factor.use(tx))) return null;
      const session = await this.sessions.open(tx, { operator: account, method: 'PASSWORD', strong, from });
      const deviceToken = device ? null : await this.devices.remember(tx, account);
      if (device) await this.devices.touch(tx, device);
      await this.throttle.clear(tx, [...counters.password, counters.second]);
      await tx.update(OperatorEntity, { id: account.id }, { lastLoginAt: () => 'now()' });
      await this.trail.record(tx, account, 'operator.logged_in', causedBy(account, from), {
        method: 'PASSWORD',
        factor: factor?.kind ?? null,
        knownDevice: device !== null,
      });
      return { session, deviceToken };
    });
    return opened && this.grants.grant(account, opened.session, opened.deviceToken);
  }

  private async failedFactor(
    attempt: Attempt,
    given: ShownFactor,
    turn: ThrottleTurn | null,
  ): Promise<DomainError> {
    return this.failed(attempt, reasonOf(given), [], turn?.begins);
  }

  /** Counts and records a failure and returns what to answer. */
  private async failed(
    { about, account, waitSeconds, from }: Attempt,
    reason: FailureReason,
    counters: readonly ThrottleKey[],
    lockBegan = false,
  ): Promise<DomainError> {
    const cause = causedBySystem('login', from);
    const begins = await this.uow.run(account?.organisationId ?? OPERATIONS, async (tx) => {
      const counted = await this.throttle.fail(tx, counters);
      await this.trail.record(tx, about, 'operator.login_failed', cause, { reason });
      const begins = counted.locked || lockBegan;
      if (begins) await this.trail.record(tx, about, 'operator.login_locked', cause, { reason });
      return begins;
    });
    // The failure that begins a lock is answered like the ones before it; during one nothing else is said.
    return waitSeconds > 0 && !begins ? locked(waitSeconds) : new DomainError('CREDENTIALS_INVALID');
  }
}

const reasonOf = ({ totp, passkey }: ShownFactor): FailureReason =>
  totp !== undefined ? 'TOTP' : passkey !== undefined ? 'PASSKEY' : 'RECOVERY_CODE';

/** Said only to who knows the password and had the right code, which opens nothing a second time. */
const codeUsed = (): DomainError =>
  new DomainError('CREDENTIALS_INVALID', {
    details: [
      {
        path: 'totp',
        code: 'ALREADY_USED',
        message: 'This code was used already; wait up to 30 seconds for the next one.',
      },
    ],
  });

const locked = (waitSeconds: number): DomainError =>
  new DomainError('RATE_LIMITED', {
    retryAfterSeconds: waitSeconds,
    details: [
      { path: '', code: 'LOGIN_LOCKED', message: 'Too many failed logins; wait before the next one.' },
    ],
  });
