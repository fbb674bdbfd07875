import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Logger } from '@nestjs/common';
import { SettingsError, type Settings } from '../platform/config/index.js';

// Certificates are renewed every few weeks, so a check every minute is soon enough.
const CHECK_INTERVAL_MS = 60_000;

// Ciphers with forward secrecy and authenticated encryption only (BSI TR-02102-2, Mozilla "intermediate" without CBC and
// DHE). The first three are for TLS 1.3.
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');
const TLS = { minVersion: 'TLSv1.2', ciphers: CIPHERS, honorCipherOrder: true } as const;

interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Returns the HTTPS options; none if a proxy terminates TLS. */
export function serverOptions(settings: Settings): {
  httpsOptions?: KeyPair & typeof TLS;
} {
  const pair = keyPair(settings);
  return pair === null ? {} : { httpsOptions: { ...pair, ...TLS } };
}

/** Loads renewed certificates without a restart. If the files cannot be read, the current ones stay in use. */
export function followCertificates(server: Server, settings: Settings): void {
  if (!(server instanceof TlsServer) || settings.tlsCertFile === null) return;
  const logger = new Logger('TLS');
  const file = settings.tlsCertFile;
  let seenMtime = statSync(file).mtimeMs;
  const timer = setInterval(() => {
    try {
      const changedMtime = statSync(file).mtimeMs;
      if (changedMtime === seenMtime) return;
      server.setSecureContext({ ...keyPair(settings), ...TLS });
      seenMtime = changedMtime;
      logger.log('a renewed certificate is in use');
    } catch (error) {
      logger.error(
        `the certificate cannot be renewed: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
  }, CHECK_INTERVAL_MS);
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
