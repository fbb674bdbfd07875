import { Injectable } from '@nestjs/common';
import { encryptionContextOf, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import { ArtifactStore } from './artifact-store.js';
import type { ArtifactRef, Rendition } from '../domain/artifact.js';
import { StagingArea } from '../intake/staging-area.js';

/** An encrypted file in the staging folder. */
export interface StagedFile {
  readonly path: string;
  readonly keyId: string;
  readonly context: string;
}

/** Encrypts files under the data keys of their persons, and decrypts them. */
@Injectable()
export class ArtifactFiles {
  constructor(
    private readonly vault: Vault,
    private readonly staging: StagingArea,
    private readonly store: ArtifactStore,
  ) {}

  /** Encrypts a stream into the staging folder. */
  async stage(
    artifact: ArtifactRef,
    rendition: Rendition,
    subject: SubjectRef,
    content: AsyncIterable<Buffer>,
  ): Promise<StagedFile> {
    const context = contextOf(artifact, rendition);
    const { keyId, sealed } = await this.vault.sealStream(content, subject, context);
    return { path: await this.staging.write(sealed), keyId, context };
  }

  /** The decrypted content of a staged file. */
  readStaged({ path, context }: StagedFile): AsyncIterable<Buffer> {
    return this.vault.openStream(this.staging.read(path), context);
  }

  async moveToStore({ path }: StagedFile, key: string): Promise<void> {
    await this.store.put(key, path);
  }

  async discard({ path }: StagedFile): Promise<void> {
    await this.staging.remove(path);
  }

  async remove(key: string): Promise<void> {
    await this.store.remove(key);
  }

  /** The decrypted content of a stored file. Rejects with ObjectMissingError; the stream throws SealBrokenError. */
  async open(artifact: ArtifactRef, rendition: Rendition, key: string): Promise<AsyncIterable<Buffer>> {
    return this.vault.openStream(await this.store.open(key), contextOf(artifact, rendition));
  }
}

const contextOf = ({ id, organisationId }: ArtifactRef, rendition: Rendition): string =>
  `${encryptionContextOf('artifacts', id, organisationId)}|${rendition}`;
