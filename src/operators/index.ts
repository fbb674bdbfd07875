// Owns operators, their logins and sessions. Promises that whoever is logged out, disabled or without a permission is
// so in every process within a second.
export { AccessTokens } from './access-tokens.js';
export { causedBySystem, NO_CALL, type CallOrigin, type Cause } from './call-origin.js';
export { codeAt } from './domain/totp.js';
export { Invitations } from './invitations.service.js';
export { LocalAccounts } from './local-accounts.js';
export { OperatorSessions } from './operator-sessions.js';
export { OperatorsModule } from './operators.module.js';
export { OperatorsService } from './operators.service.js';
export { OperatorsSweep } from './operators-sweep.js';
export { COMMAND_LINE } from './password-process.js';
export { Passwords } from './passwords.js';
export { SecondFactors } from './second-factors.js';
export { OperatorQueries } from './store/operator.queries.js';
