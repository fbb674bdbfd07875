import type { Readable } from 'node:stream';
import type { ArtifactRef } from '../domain/artifact.js';

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
}

export class ObjectMissingError extends Error {
  constructor() {
    super('The artifact store has no such object.');
    this.name = 'ObjectMissing';
  }
}

/**
 * Storage for encrypted files, in a local folder or in S3. The service generates the keys
 * (`YYYY-MM-DD/<organisation>/<artifact>.<rendition>`) without any input of a caller.
 */
export abstract class ArtifactStore {
  /** Moves a complete local file to a key; durable when it resolves. */
  abstract put(key: string, path: string): Promise<void>;

  /** Reads an object; rejects with ObjectMissingError before the stream starts. */
  abstract open(key: string): Promise<Readable>;

  /** Deletes an object; does nothing if the object is missing. */
  abstract remove(key: string): Promise<void>;

  /** All objects whose keys begin with `prefix`, in no particular order. */
  abstract list(prefix: string): AsyncIterable<StoredObject>;
}

/** Returns the day (UTC) with which keys of this time begin, so that the sweep lists a few days instead of years. */
export const dayPrefixOf = (at: Date): string => at.toISOString().slice(0, 10);

export const objectKeyOf = (artifact: ArtifactRef, day: string, rendition: string): string =>
  `${day}/${artifact.organisationId}/${artifact.id}.${rendition}`;
