import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditModule } from '../audit/index.js';
import { BodyGuard, ClientGate, HttpModule } from '../http/index.js';
import { AccessGuard } from './access.guard.js';
import { ClientAppsController } from './api/client-apps.controller.js';
import { ClientAppsService } from './client-apps.service.js';
import { ClientDirectory } from './client-directory.js';

// The gate is asked by modules that must not know this one.
@Global()
@Module({
  imports: [AuditModule, HttpModule],
  controllers: [ClientAppsController],
  providers: [
    ClientAppsService,
    ClientDirectory,
    { provide: ClientGate, useExisting: ClientDirectory },
    // The order matters: a body is read only for a caller that was let in.
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: BodyGuard },
  ],
  exports: [ClientAppsService, ClientDirectory, ClientGate],
})
export class AuthModule {}
