import type { Readable } from 'node:stream';
import type { ArtifactRef } from '../domain/artifact.js';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

export class ObjectMissing extends Error {
  constructor() {
    super('The artifact store has no such object.');
    this.name = 'ObjectMissing';
  }
}

/**
 * Stores the files of artifacts: a port with a local folder and S3 behind it. The store sees only ciphertext. The service
 * makes the keys (`YYYY-MM-DD/<organisation>/<artifact>.<rendition>`) without any input of a caller.
 */
export abstract class ArtifactStore {
  /** Stores a finished local file under a key and takes it over; durable when it resolves. */
  abstract put(key: string, path: string): Promise<void>;

  /** Reads an object; rejects with ObjectMissing before the first byte. */
  abstract open(key: string): Promise<Readable>;

  /** Removes an object; a missing one is no error. */
  abstract remove(key: string): Promise<void>;

  /** All objects whose keys begin with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<StoredObject>;
}

/** The day in a key, by which the sweep lists a few days and not years. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const keyOf = (artifact: ArtifactRef, day: string, rendition: string): string =>
  `${day}/${artifact.organisationId}/${artifact.id}.${rendition}`;
