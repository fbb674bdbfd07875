import { readSettings, requireServable, Settings } from './config/index.js';
import { createApp } from './create-app.js';
import { Readiness } from './http/index.js';

/** A service that answers requests. */
export interface RunningService {
  readonly url: string;
  /** Stops taking work, finishes what is under way, closes every connection. */
  close(): Promise<void>;
}

/** Starts the service from the environment and returns when it listens. */
export async function startService(settings = Settings.of(readSettings())): Promise<RunningService> {
  requireServable(settings);
  const app = await createApp(settings);
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    app.get(Readiness).drain();
    await app.close();
  };
  return { url: await app.getUrl(), close: () => (closing ??= close()) };
}
