import { Global, Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { HttpModule, OperatorGate } from '../http/index.js';
import { AccessTokens } from './access-tokens.js';
import { MeController } from './api/me.controller.js';
import { OperatorDirectory } from './operator-directory.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorTrail } from './operator-trail.js';
import { OperatorsService } from './operators.service.js';
import { OperatorQueries } from './store/operator.queries.js';
import { TokenKeys } from './token-keys.js';

// The access guard of Auth asks the gate, and must not know this module.
@Global()
@Module({
  imports: [AuditModule, HttpModule],
  controllers: [MeController],
  providers: [
    AccessTokens,
    OperatorDirectory,
    OperatorQueries,
    OperatorSessions,
    OperatorTrail,
    OperatorsService,
    TokenKeys,
    { provide: OperatorGate, useExisting: OperatorDirectory },
  ],
  exports: [AccessTokens, OperatorGate, OperatorSessions, OperatorsService],
})
export class OperatorsModule {}
