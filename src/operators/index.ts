// Owns operators, their logins and sessions. Promises that whoever is logged out, disabled or without a permission is
// so in every process within a second.
export { AccessTokens } from './access-tokens.js';
export { OperatorSessions } from './operator-sessions.js';
export { OperatorsModule } from './operators.module.js';
export { OperatorsService } from './operators.service.js';
