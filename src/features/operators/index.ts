// Owns operators, their logins and sessions. Promises that a logout, a disabled operator and a removed permission take
// effect in every process within a second.
export { AccessTokens } from './sessions/access-tokens.js';
export { systemActorContext, NO_CALL } from './call-origin.js';
export { codeAt, CODE_SECONDS } from './domain/totp.js';
export { InvitationsService } from './accounts/invitations.service.js';
export { LocalAccountsService } from './accounts/local-accounts.service.js';
export { OidcLoginService } from './login/oidc-login.service.js';
export { OperatorSessionsService } from './sessions/operator-sessions.service.js';
export { OperatorsModule } from './operators.module.js';
export { OperatorsService } from './accounts/operators.service.js';
export { COMMAND_LINE } from './login/password-process.js';
export { Passwords } from './login/passwords.js';
export { SecondFactors } from './login/second-factors.js';
export { OperatorQueries } from './store/operator.queries.js';
export { OpenCaseRegistry } from './open-case-registry.js';
