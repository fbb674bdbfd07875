import 'reflect-metadata';
import { SettingsError } from './platform/config/index.js';
import { KeySourceFailedError } from './platform/privacy/index.js';
import { startService } from './bootstrap/service.js';

// Runs under a process manager: it brings no databases and no demo, and signals end it. `npm start` uses the launcher instead.
try {
  const service = await startService();
  const stop = (): void => {
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(
          `stopping failed: ${error instanceof Error ? error.message : 'unknown error'}\n`,
        );
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const message =
    error instanceof SettingsError || error instanceof KeySourceFailedError
      ? error.message
      : error instanceof Error
        ? error.stack
        : 'unknown';
  process.stderr.write(`${message ?? 'unknown error'}\n`);
  process.exit(1);
}
