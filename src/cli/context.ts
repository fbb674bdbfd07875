import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { Settings, type SettingValues } from '../platform/config/index.js';
import { requireOwnerLogin } from '../platform/database/connection/app-role.js';
import { settingsWithKeys } from '../platform/privacy/index.js';
import { StructuredLogger } from '../platform/telemetry/index.js';

/**
 * Runs a command with the application's services, in a process without HTTP server and job processing.
 * @param login `owner` for what the database takes from the owner of the schema alone; throws without DATABASE_OWNER_URL
 */
export async function withServices<T>(
  work: (services: INestApplicationContext, settings: Settings) => Promise<T>,
  login: 'service' | 'owner' = 'service',
): Promise<T> {
  const given = await settingsWithKeys();
  const settings = Settings.of({
    ...given,
    ...(login === 'owner' && { databaseUrl: await ownerUrlIn(given) }),
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

async function ownerUrlIn({ databaseOwnerUrl }: SettingValues): Promise<string> {
  if (databaseOwnerUrl === null) {
    throw new Error(
      'This command needs DATABASE_OWNER_URL: the database takes it from the owner of the schema alone, and not from ' +
        'the login of the service.',
    );
  }
  await requireOwnerLogin(databaseOwnerUrl);
  return databaseOwnerUrl;
}
