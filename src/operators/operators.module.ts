import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { HttpModule, OperatorGate, OperatorRoster } from '../http/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { AccessTokens } from './access-tokens.js';
import { AuthController } from './api/auth.controller.js';
import { InvitationsController } from './api/invitations.controller.js';
import { MeController } from './api/me.controller.js';
import { OperatorsController } from './api/operators.controller.js';
import { Invitations } from './invitations.service.js';
import { KnownDevices } from './known-devices.js';
import { LocalAccounts } from './local-accounts.js';
import { LoginThrottle } from './login-throttle.js';
import { LoginService } from './login.service.js';
import { OidcLogin } from './oidc-login.service.js';
import { OperatorDirectory } from './operator-directory.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorTrail } from './operator-trail.js';
import { OperatorsService } from './operators.service.js';
import { OperatorsSweep } from './operators-sweep.js';
import { OwnAccount } from './own-account.service.js';
import { PasswordProcess } from './password-process.js';
import { Passwords } from './passwords.js';
import { Reauthentication } from './reauthentication.js';
import { SecondFactors } from './second-factors.js';
import { SessionGrants } from './session-grants.js';
import { OperatorQueries } from './store/operator.queries.js';
import { TokenExchange } from './token-exchange.service.js';
import { TokenKeys } from './token-keys.js';

// The access guard of Auth asks the gate, and must not know this module.
@Global()
@Module({
  imports: [AuditModule, HttpModule, PrivacyModule],
  controllers: [AuthController, InvitationsController, MeController, OperatorsController],
  providers: [
    AccessTokens,
    Invitations,
    KnownDevices,
    LocalAccounts,
    LoginService,
    LoginThrottle,
    OidcLogin,
    OperatorDirectory,
    OperatorQueries,
    OperatorSessions,
    OperatorTrail,
    OperatorsService,
    OperatorsSweep,
    OwnAccount,
    PasswordProcess,
    Passwords,
    Reauthentication,
    SecondFactors,
    SessionGrants,
    TokenExchange,
    TokenKeys,
    { provide: OperatorGate, useExisting: OperatorDirectory },
    { provide: OperatorRoster, useExisting: OperatorQueries },
  ],
  exports: [
    AccessTokens,
    Invitations,
    LocalAccounts,
    OperatorGate,
    OperatorQueries,
    OperatorRoster,
    OperatorSessions,
    OperatorsService,
    OperatorsSweep,
    Passwords,
    SecondFactors,
  ],
})
export class OperatorsModule {}
