import { Injectable } from '@nestjs/common';
import { BlindIndex } from './indexes/blind-index.js';
import { keyIdOf, seal, SealBrokenError, unseal } from './sealed.js';
import { openStream, sealStream } from './sealed-stream.js';
import { SubjectKeys, type SubjectRef } from './subject-keys.js';

/** An encrypted value and the context that it was encrypted with. */
export interface SealedValue {
  readonly sealed: Buffer;
  readonly context: string;
}

/** Returns the authenticated context of an encrypted value: the row where it is stored. */
export const encryptionContextOf = (table: string, rowId: string, organisationId: string): string =>
  `${table}|${rowId}|${organisationId}`;

/** Encrypts and decrypts personal data under the keys of the persons it is about. */
@Injectable()
export class Vault {
  constructor(
    private readonly subjectKeys: SubjectKeys,
    private readonly blindIndex: BlindIndex,
  ) {}

  /** Returns the subject for secrets of the organisation (signing secrets), which no person's erasure affects. */
  organisationSubject(organisationId: string): SubjectRef {
    return { organisationId, index: this.blindIndex.computeForOrganisation(organisationId, 'secrets') };
  }

  /** Caches the keys of these subjects, so that `seal` needs no database access. */
  async prepare(subjects: Iterable<SubjectRef>): Promise<void> {
    await this.subjectKeys.ensureKeys(subjects);
  }

  /** Encrypts under the subject's key. Await `prepare` for the subject first. */
  seal(plain: Buffer | string, subject: SubjectRef, context: string): Buffer {
    const key = this.subjectKeys.findCachedKey(subject);
    if (!key) throw new Error('seal without prepare: the subject has no usable key in this process');
    return seal(plain, key, context);
  }

  async sealOne(plain: Buffer | string, subject: SubjectRef, context: string): Promise<Buffer> {
    await this.prepare([subject]);
    return this.seal(plain, subject, context);
  }

  /** Encrypts a stream under the subject's key. Returns the id of that key, by which a later erasure is recognised. */
  async sealStream(
    plain: AsyncIterable<Buffer>,
    subject: SubjectRef,
    context: string,
  ): Promise<{ readonly keyId: string; readonly sealed: AsyncIterable<Buffer> }> {
    await this.prepare([subject]);
    const key = this.subjectKeys.findCachedKey(subject);
    if (!key) throw new Error('the subject has no usable key in this process');
    return { keyId: key.id, sealed: sealStream(plain, key, context) };
  }

  /**
   * Decrypts a stream. Reading throws SealBrokenError if the stream was changed or cut off, or if its key was
   * destroyed.
   */
  openStream(sealed: AsyncIterable<Buffer>, context: string): AsyncIterable<Buffer> {
    return openStream(
      sealed,
      async (id) => (await this.subjectKeys.findByKeyId([id])).get(id) ?? null,
      context,
    );
  }

  /** Decrypts many values; null where the subject was erased. Throws SealBrokenError if any value was changed. */
  async openMany(values: readonly SealedValue[]): Promise<(Buffer | null)[]> {
    const results = await this.tryOpenMany(values);
    return results.map((result) => {
      if (result instanceof SealBrokenError) throw result;
      return result;
    });
  }

  /** Decrypts like `openMany`, but returns the error in place of a broken value, so that the others remain readable. */
  async tryOpenMany(values: readonly SealedValue[]): Promise<(Buffer | null | SealBrokenError)[]> {
    const ids = values.map((value) => openSafely(() => keyIdOf(value.sealed)));
    const keys = await this.subjectKeys.findByKeyId(
      new Set(ids.filter((id): id is string => typeof id === 'string')),
    );
    return values.map((value, i) => {
      const id = ids[i];
      if (id === undefined || id instanceof SealBrokenError) return new SealBrokenError();
      const key = keys.get(id);
      return key ? openSafely(() => unseal(value.sealed, key, value.context)) : null;
    });
  }
}

function openSafely<T>(open: () => T): T | SealBrokenError {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBrokenError) return error;
    throw error;
  }
}
