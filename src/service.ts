import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Settings, readSettings } from './config/index.js';
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
    const released = releaseConnections(app.getHttpServer(), settings.shutdownTimeoutMs);
    try {
      await app.close();
    } finally {
      released();
    }
  };
  return { url: await app.getUrl(), close: () => (closing ??= close()) };
}

/**
 * Lets go of kept-alive connections, each after the answer that it waits for: a server that closes waits for all of
 * them, and callers that always have something to send would never let it. Returns what ends the effort.
 */
function releaseConnections(server: Server, timeoutMs: number): () => void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
  });
  const sweep = setInterval(() => {
    // Not before: until then they may still send, and be told to come back on another connection.
    if (!server.listening) server.closeIdleConnections();
  }, 50);
  const patience = setTimeout(() => {
    server.closeAllConnections();
  }, timeoutMs);
  return () => {
    clearInterval(sweep);
    clearTimeout(patience);
  };
}
