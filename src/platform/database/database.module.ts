import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { Settings } from '../config/index.js';
import { Clock } from '../kernel/index.js';
import { AppRoleCheck } from './connection/app-role-check.js';
import { appConnectionOptions } from './connection/connection-options.js';
import { WritableDataSource } from './connection/connections.js';
import { ConnectionWatch } from './connection/connection-watch.service.js';
import { DatabaseClock } from './connection/database-clock.service.js';
import { CommitMarks } from './work/commit-marks.js';
import { sqlStateOf } from './work/database-errors.js';
import { UnitOfWork } from './work/unit-of-work.js';
import { databaseEntities } from './store/entities.js';

const logger = new Logger('Database');
// This is longer than the relay waits for Redis inside a transaction, which is at most 2 s.
const IDLE_MS = 5_000;

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature(databaseEntities),
    TypeOrmModule.forRootAsync({
      dataSourceFactory: (options) =>
        Promise.resolve(new WritableDataSource(options as PostgresDataSourceOptions)),
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        ...appConnectionOptions({
          url: settings.databaseUrl ?? '',
          poolSize: settings.databasePoolSize,
          connectTimeoutMs: settings.databaseConnectTimeoutMs,
          statementTimeoutMs: settings.databaseStatementTimeoutMs,
          // Limits how long a process that is cut off inside a transaction can hold its locks.
          idleInTransactionTimeoutMs: Math.max(settings.databaseStatementTimeoutMs, IDLE_MS),
        }),
        // Each module registers its own entities.
        autoLoadEntities: true,
        // By default TypeORM prints the error. The next caller gets a new connection, or an error if there is none.
        poolErrorHandler: (error: unknown) => {
          logger.debug(`an idle connection ended: ${sqlStateOf(error) ?? 'without a code'}`);
        },
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [
    UnitOfWork,
    CommitMarks,
    AppRoleCheck,
    ConnectionWatch,
    { provide: Clock, useClass: DatabaseClock },
  ],
  exports: [UnitOfWork, CommitMarks, ConnectionWatch, Clock, TypeOrmModule],
})
export class DatabaseModule {}
