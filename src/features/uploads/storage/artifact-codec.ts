import { Injectable } from '@nestjs/common';
import { encryptionContextOf, Vault, type SubjectRef } from '../../../platform/privacy/index.js';
import type { Artifact, ArtifactFacts, ArtifactRef, KnownArtifact } from '../domain/artifact.js';
import type { ArtifactEntity } from '../store/entities.js';
import { pick } from '../../../platform/kernel/index.js';

/** Maps rows to artifacts and decrypts their inspection results. */
@Injectable()
export class ArtifactCodec {
  constructor(private readonly vault: Vault) {}

  async sealFacts(artifact: ArtifactRef, facts: ArtifactFacts, subject: SubjectRef): Promise<Buffer> {
    return this.vault.sealOne(JSON.stringify(facts), subject, contextOf(artifact));
  }

  async decryptFacts(rows: readonly ArtifactEntity[]): Promise<KnownArtifact[]> {
    const plaintexts = await this.vault.openMany(
      rows.map((row) => ({ sealed: row.sealed, context: contextOf(row) })),
    );
    return rows.map((row, i) => {
      const plaintext = plaintexts[i];
      return {
        ...artifactOf(row),
        facts: plaintext ? (JSON.parse(plaintext.toString('utf8')) as ArtifactFacts) : null,
      };
    });
  }
}

const contextOf = ({ id, organisationId }: ArtifactRef): string =>
  encryptionContextOf('artifacts', id, organisationId);

const artifactOf = (row: ArtifactEntity): Artifact => ({
  id: row.id,
  organisationId: row.organisationId,
  owner: { type: row.ownerType, id: row.ownerId },
  subject: { organisationId: row.organisationId, index: row.subjectIndex },
  ...pick(row, 'kind', 'stepId', 'documentType', 'side', 'mimeType', 'sizeBytes', 'width', 'height', 'pages'),
  state: row.state,
  hasView: row.viewKey !== null,
  ...pick(row, 'customerId', 'unlinkedReason', 'receivedBy', 'createdAt', 'retainUntil'),
});
