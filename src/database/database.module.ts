import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ormOptions } from '../../ormconfig.js';
import { Settings } from '../config/index.js';
import { Clock } from '../kernel/index.js';
import { AppRoleCheck } from './connection/app-role-check.js';
import { DatabaseClock } from './connection/database-clock.service.js';
import { sqlStateOf } from './work/database-errors.js';
import { UnitOfWork } from './work/unit-of-work.js';

const logger = new Logger('Database');

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        ...ormOptions({
          url: settings.databaseUrl ?? '',
          poolSize: settings.databasePoolSize,
          connectTimeoutMs: settings.databaseConnectTimeoutMs,
          statementTimeoutMs: settings.databaseStatementTimeoutMs,
          idleInTransactionTimeoutMs: settings.databaseStatementTimeoutMs * 3,
        }),
        // TypeORM would print it; whoever needs a connection gets a new one, or says that there is none.
        poolErrorHandler: (error: unknown) => {
          logger.debug(`an idle connection ended: ${sqlStateOf(error) ?? 'without a code'}`);
        },
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [UnitOfWork, AppRoleCheck, { provide: Clock, useClass: DatabaseClock }],
  exports: [UnitOfWork, Clock, TypeOrmModule],
})
export class DatabaseModule {}
