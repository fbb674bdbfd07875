import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Logger } from '@nestjs/common';
import { SettingsError, type Settings } from './config/index.js';

// Certificates are renewed every few weeks; a minute is soon enough.
const LOOK_EVERY_MS = 60_000;

interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The options of a server that answers over HTTPS, or none when a proxy in front does that. */
export function serverOptions(settings: Settings): {
  httpsOptions?: KeyPair & { readonly minVersion: 'TLSv1.2' };
} {
  const pair = keyPair(settings);
  return pair === null ? {} : { httpsOptions: { ...pair, minVersion: 'TLSv1.2' } };
}

/** Takes up renewed certificates without a restart. Files that cannot be read leave the present ones in use. */
export function followCertificates(server: Server, settings: Settings): void {
  if (!(server instanceof TlsServer) || settings.tlsCertFile === null) return;
  const logger = new Logger('TLS');
  const file = settings.tlsCertFile;
  let seen = statSync(file).mtimeMs;
  const timer = setInterval(() => {
    try {
      const changed = statSync(file).mtimeMs;
      if (changed === seen) return;
      server.setSecureContext({ ...keyPair(settings), minVersion: 'TLSv1.2' });
      seen = changed;
      logger.log('a renewed certificate is in use');
    } catch (error) {
      logger.error(
        `the certificate cannot be renewed: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}

function keyPair({ tlsCertFile, tlsKeyFile }: Settings): KeyPair | null {
  if (tlsCertFile === null || tlsKeyFile === null) return null;
  return { cert: fileOf('TLS_CERT_FILE', tlsCertFile), key: fileOf('TLS_KEY_FILE', tlsKeyFile) };
}

function fileOf(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new SettingsError([`${variable} names a file that cannot be read`]);
  }
}
