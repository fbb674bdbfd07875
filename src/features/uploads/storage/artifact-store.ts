import type { Readable } from 'node:stream';
import type { ArtifactRef } from '../domain/artifact.js';

/** One object in the store. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** The store has no object of this key. */
export class ObjectMissing extends Error {
  constructor() {
    super('The artifact store has no such object.');
    this.name = 'ObjectMissing';
  }
}

/**
 * Where artifacts lie: a port with a local folder and S3 behind it. It only ever sees ciphertext. Keys are made by this
 * service (`YYYY-MM-DD/<organisation>/<artifact>.<rendition>`); nothing of a caller's is part of one.
 */
export abstract class ArtifactStore {
  /** Stores a finished local file under a key and takes it over; durable when it resolves. */
  abstract put(key: string, path: string): Promise<void>;

  /** Reads an object; rejects with ObjectMissing before the first byte. */
  abstract open(key: string): Promise<Readable>;

  /** Removes an object; that it is not there is no error. */
  abstract remove(key: string): Promise<void>;

  /** All objects whose keys begin with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<StoredObject>;
}

/** The day in a key, so that the sweep looks at a few days and not at years. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const keyOf = (artifact: ArtifactRef, day: string, rendition: string): string =>
  `${day}/${artifact.organisationId}/${artifact.id}.${rendition}`;
