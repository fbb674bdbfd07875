import type { Measured, Subject } from './measure.js';

/** So often a better picture is asked for; the service counts the same. */
export const TRIES = 3;

/** A picture that this device has judged. */
export interface Try {
  readonly file: Blob;
  readonly measured: Measured;
}

/** The best of several: the one with the fewest flaws, and of these the sharpest. */
export function bestOf([first, ...others]: readonly [Try, ...Try[]]): Try {
  return others.reduce((best, one) => {
    const fewer = one.measured.flaws.length - best.measured.flaws.length;
    return fewer < 0 || (fewer === 0 && one.measured.focus > best.measured.focus) ? one : best;
  }, first);
}

/** Measures a picture on this device; null when nothing can be said here: the service judges it anyway. */
export async function measureOf(file: Blob, of: Subject): Promise<Measured | null> {
  if (!file.type.startsWith('image/')) return null;
  const measures = await loadMeasures();
  return measures?.measureFile(file, of).catch(() => null) ?? null;
}

/** Loads the measures; null where their code is out of reach, as without a connection. */
export async function loadMeasures(): Promise<typeof import('./measure.js') | null> {
  try {
    return await import('./measure.js');
  } catch {
    return null;
  }
}
