import { randomBytes } from 'node:crypto';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import { AppModule } from '../src/app.module.js';
import { readSettings, Settings } from '../src/platform/config/index.js';
import { RouteTable } from '../src/platform/http/index.js';
import { StructuredLogger } from '../src/platform/telemetry/index.js';

/** The service from its controllers alone: in preview Nest makes no provider, so that no database is needed. */
export async function previewApp() {
  const key = () => randomBytes(32).toString('base64');
  const settings = Settings.of(
    readSettings({
      NODE_ENV: 'test',
      DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
      KEY_RING: `types:${key()}`,
      AUDIT_KEYS: `types:${key()}`,
      INDEX_KEY: key(),
      CLIENT_SECRET_PEPPER: key(),
    }),
  );
  const logger = new StructuredLogger({ level: 'error', file: null, name: 'types', role: settings.role });
  const app = await NestFactory.create(AppModule.with(settings, logger), { preview: true, logger: false });
  const discovery = new DiscoveryService(app.get(ModulesContainer));
  const routes = new RouteTable(discovery, new MetadataScanner(), new Reflector()).routes();
  return { app, settings, routes };
}
