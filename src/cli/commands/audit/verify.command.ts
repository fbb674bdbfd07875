import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// A file of its own, because loading the commands that need the service takes seconds.

/** Runs the verifier that every package contains. Needs neither service nor database. */
export function verifyPackage(args: readonly string[]): number {
  const verifier = fileURLToPath(new URL('../../../features/audit/verify/verify.mjs', import.meta.url));
  return spawnSync(process.execPath, [verifier, ...args], { stdio: 'inherit' }).status ?? 3;
}
