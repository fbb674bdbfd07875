import { Injectable } from '@nestjs/common';
import { BlindIndex } from './indexes/blind-index.js';
import { keyIdOf, seal, SealBroken, unseal } from './sealed.js';
import { openStream, sealStream } from './sealed-stream.js';
import { SubjectKeys, type SubjectRef } from './subject-keys.js';

/** A value to open: the bytes and the context they were sealed with. */
export interface SealedValue {
  readonly sealed: Buffer;
  readonly context: string;
}

/** The place of a sealed value, which is the authenticated context of its encryption. */
export const sealContext = (table: string, rowId: string, organisationId: string): string =>
  `${table}|${rowId}|${organisationId}`;

/** Seals and opens personal data under the keys of the persons it is about. */
@Injectable()
export class Vault {
  constructor(
    private readonly keys: SubjectKeys,
    private readonly index: BlindIndex,
  ) {}

  /** Secrets of an organisation itself (webhook secrets), which no erasure of a person may take away. */
  organisationSubject(organisationId: string): SubjectRef {
    return { organisationId, index: this.index.ofOrganisation(organisationId, 'secrets') };
  }

  /** Prepares the keys of all these subjects, so that `seal` needs no database. */
  async prepare(subjects: Iterable<SubjectRef>): Promise<void> {
    await this.keys.ensure(subjects);
  }

  /** Seals under the subject's key; `prepare` must have been awaited for it. */
  seal(plain: Buffer | string, subject: SubjectRef, context: string): Buffer {
    const key = this.keys.cached(subject);
    if (!key) throw new Error('seal without prepare: the subject has no usable key in this process');
    return seal(plain, key, context);
  }

  /** Prepares and seals one value. */
  async sealOne(plain: Buffer | string, subject: SubjectRef, context: string): Promise<Buffer> {
    await this.prepare([subject]);
    return this.seal(plain, subject, context);
  }

  /** Seals a stream under the subject's key and returns the id of that key, which tells later whether it was destroyed. */
  async sealStream(
    plain: AsyncIterable<Buffer>,
    subject: SubjectRef,
    context: string,
  ): Promise<{ readonly keyId: string; readonly sealed: AsyncIterable<Buffer> }> {
    await this.prepare([subject]);
    const key = this.keys.cached(subject);
    if (!key) throw new Error('the subject has no usable key in this process');
    return { keyId: key.id, sealed: sealStream(plain, key, context) };
  }

  /** Opens a sealed stream. Reading it throws SealBroken when it was changed or cut off, or its key was destroyed. */
  openStream(sealed: AsyncIterable<Buffer>, context: string): AsyncIterable<Buffer> {
    return openStream(sealed, async (id) => (await this.keys.byKeyId([id])).get(id) ?? null, context);
  }

  /** Opens many values; null where the subject was erased. Throws SealBroken when one was tampered with. */
  async openMany(values: readonly SealedValue[]): Promise<(Buffer | null)[]> {
    const results = await this.tryOpenMany(values);
    return results.map((result) => {
      if (result instanceof SealBroken) throw result;
      return result;
    });
  }

  /** As `openMany`, but a broken value is returned as the error, so that it does not hide its neighbours. */
  async tryOpenMany(values: readonly SealedValue[]): Promise<(Buffer | null | SealBroken)[]> {
    const ids = values.map((value) => safely(() => keyIdOf(value.sealed)));
    const keys = await this.keys.byKeyId(new Set(ids.filter((id): id is string => typeof id === 'string')));
    return values.map((value, i) => {
      const id = ids[i];
      if (id === undefined || id instanceof SealBroken) return new SealBroken();
      const key = keys.get(id);
      return key ? safely(() => unseal(value.sealed, key, value.context)) : null;
    });
  }
}

function safely<T>(open: () => T): T | SealBroken {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealBroken) return error;
    throw error;
  }
}
