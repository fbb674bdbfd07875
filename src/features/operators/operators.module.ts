import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { HttpModule, OperatorGate, OperatorLookup } from '../../platform/http/index.js';
import { MailModule } from '../../platform/mail/index.js';
import { OutboundModule } from '../../platform/outbound/index.js';
import { PrivacyModule } from '../../platform/privacy/index.js';
import { AccessTokens } from './sessions/access-tokens.js';
import { AuthController } from './api/auth.controller.js';
import { InvitationsController } from './api/invitations.controller.js';
import { MeController } from './api/me.controller.js';
import { OperatorsController } from './api/operators.controller.js';
import { AccessNotifierService } from './accounts/access-notifier.service.js';
import { InvitationsService } from './accounts/invitations.service.js';
import { KnownDevices } from './login/known-devices.js';
import { LocalAccountsService } from './accounts/local-accounts.service.js';
import { LoginThrottle } from './login/login-throttle.js';
import { LoginService } from './login/login.service.js';
import { OidcLoginService } from './login/oidc-login.service.js';
import { OperatorDirectory } from './sessions/operator-directory.js';
import { OperatorSessionsService } from './sessions/operator-sessions.service.js';
import { OperatorAudit } from './operator-audit.js';
import { OperatorApprovalsService } from './accounts/operator-approvals.service.js';
import { OperatorsService } from './accounts/operators.service.js';
import { OperatorsSweepService } from './operators-sweep.service.js';
import { OwnAccountService } from './accounts/own-account.service.js';
import { PasswordProcess } from './login/password-process.js';
import { Passwords } from './login/passwords.js';
import { Reauthentication } from './login/reauthentication.js';
import { MePasskeysController } from './api/passkeys/me-passkeys.controller.js';
import { PasskeyLoginController } from './api/passkeys/passkey-login.controller.js';
import { OwnPasskeysService } from './passkeys/own-passkeys.service.js';
import { PasskeyChallenges } from './passkeys/passkey-challenges.js';
import { PasskeyLoginService } from './passkeys/passkey-login.service.js';
import { Passkeys } from './passkeys/passkeys.js';
import { RelyingParty } from './passkeys/relying-party.js';
import { SecondFactors } from './login/second-factors.js';
import { LoginTokenIssuer } from './sessions/login-token-issuer.js';
import { OperatorQueries } from './store/operator.queries.js';
import { TokenExchangeService } from './login/token-exchange.service.js';
import { TokenKeys } from './sessions/token-keys.js';
import { operatorsEntities } from './store/entities.js';

// Global: the access guard of Auth uses `OperatorGate` without importing this module.
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature(operatorsEntities),
    ApprovalsModule,
    AuditModule,
    HttpModule,
    MailModule,
    OutboundModule,
    PrivacyModule,
  ],
  controllers: [
    AuthController,
    InvitationsController,
    MeController,
    MePasskeysController,
    OperatorsController,
    PasskeyLoginController,
  ],
  providers: [
    AccessNotifierService,
    AccessTokens,
    InvitationsService,
    KnownDevices,
    LocalAccountsService,
    LoginService,
    LoginThrottle,
    OidcLoginService,
    OperatorApprovalsService,
    OperatorDirectory,
    OperatorQueries,
    OperatorSessionsService,
    OperatorAudit,
    OperatorsService,
    OperatorsSweepService,
    OwnAccountService,
    OwnPasskeysService,
    PasskeyChallenges,
    PasskeyLoginService,
    Passkeys,
    PasswordProcess,
    Passwords,
    Reauthentication,
    RelyingParty,
    SecondFactors,
    LoginTokenIssuer,
    TokenExchangeService,
    TokenKeys,
    { provide: OperatorGate, useExisting: OperatorDirectory },
    { provide: OperatorLookup, useExisting: OperatorQueries },
  ],
  exports: [
    AccessTokens,
    InvitationsService,
    LocalAccountsService,
    OperatorGate,
    OperatorQueries,
    OperatorLookup,
    OperatorSessionsService,
    OperatorsService,
    OperatorsSweepService,
    Passwords,
    SecondFactors,
  ],
})
export class OperatorsModule {}
