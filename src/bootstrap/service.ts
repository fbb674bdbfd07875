import type { INestApplication } from '@nestjs/common';
import { ClientAppsService } from '../features/auth/index.js';
import { requireServable, Settings, SettingsError } from '../platform/config/index.js';
import { WarmUpService } from '../features/kyt/index.js';
import { createApp } from './create-app.js';
import { Readiness } from '../platform/http/index.js';
import { settingsWithKeys } from '../platform/privacy/index.js';
import { openProbeServer, hasProbePort, type ProbeServer } from './probes.js';

export interface RunningService {
  readonly url: string;
  /** The base URL of /health and /metrics. */
  readonly probesUrl: string;
  /** Takes no more work, finishes the running work, closes all connections. */
  close(): Promise<void>;
}

/** Starts the service from the environment; returns once it listens. */
export async function startService(given?: Settings): Promise<RunningService> {
  const settings = given ?? Settings.of(await settingsWithKeys());
  requireServable(settings);
  const app = await createApp(settings);
  let probes: ProbeServer | undefined;
  try {
    if (settings.nodeEnv === 'production') await requireNoDemo(app);
    await app.listen(settings.port, settings.host);
    if (hasProbePort(settings)) probes = await openProbeServer(app, settings);
    app.get(Readiness).await('warm-up', app.get(WarmUpService, { strict: false }).start());
  } catch (error) {
    await app.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    app.get(Readiness).drain();
    await app.close();
    await probes?.close();
  };
  const url = await app.getUrl();
  return { url, probesUrl: probes?.url ?? url, close: () => (closing ??= close()) };
}

async function requireNoDemo(app: INestApplication): Promise<void> {
  if (!(await app.get(ClientAppsService, { strict: false }).hasDemoData())) return;
  throw new SettingsError([
    'DATABASE_URL leads to a database that was seeded for the demo; a production needs one of its own',
  ]);
}
