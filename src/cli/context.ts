import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { Settings } from '../platform/config/index.js';
import { settingsWithKeys } from '../platform/privacy/index.js';
import { StructuredLogger } from '../platform/telemetry/index.js';

/** Runs a command with the application's services, in a process without HTTP server and job processing. */
export async function withServices<T>(
  work: (services: INestApplicationContext, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = Settings.of({
    ...(await settingsWithKeys()),
    role: 'api',
    databasePoolSize: 4,
    screeningIndex: false,
  });
  const logger = new StructuredLogger({ level: 'warn', file: null, name: settings.serviceName, role: 'cli' });
  const services = await NestFactory.createApplicationContext(AppModule.with(settings, logger), {
    logger,
    abortOnError: false,
  });
  try {
    return await work(services, settings);
  } finally {
    await services.close();
  }
}
