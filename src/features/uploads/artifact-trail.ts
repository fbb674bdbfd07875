import { Injectable } from '@nestjs/common';
import {
  TrailContract,
  type TrailActionOrder,
  type AuditSubject,
  type TrailExpectation,
} from '../audit/index.js';
import type { ArtifactState } from './domain/artifact.js';
import { ArtifactRepository } from './store/artifact.repository.js';
import { pick } from '../../platform/kernel/index.js';

const living = ['artifact.linked', 'artifact.viewed'] as const;
const ends = ['artifact.lost', 'artifact.erased'] as const;
const order: Omit<TrailActionOrder, 'last'> = {
  first: ['artifact.stored'],
  follows: {
    'artifact.stored': [...living, ...ends],
    'artifact.linked': [...living, ...ends],
    'artifact.viewed': [...living, ...ends],
    // The record of a lost or erased artifact can still be linked to a dossier.
    'artifact.lost': ['artifact.linked'],
    'artifact.erased': ['artifact.linked'],
  },
};
const last: Readonly<Record<ArtifactState, TrailActionOrder['last']>> = {
  STORED: ['artifact.stored', ...living],
  LOST: ['artifact.lost', 'artifact.linked'],
  ERASED: ['artifact.erased', 'artifact.linked'],
};

/** The audit entries that an artifact must have in its current state. */
@Injectable()
export class ArtifactTrail {
  constructor(private readonly artifacts: ArtifactRepository) {}

  @TrailContract('artifact')
  async expectation({ organisationId, id }: AuditSubject): Promise<TrailExpectation | null> {
    const row = await this.artifacts.find(organisationId, id);
    if (!row) return null;
    return {
      grammar: { ...order, last: last[row.state] },
      anchors: [
        {
          action: 'artifact.stored',
          hash: row.trailHash,
          says: {
            owner: row.ownerType,
            ...pick(row, 'ownerId', 'kind', 'mimeType', 'sizeBytes'),
            content: row.contentIndex.toString('hex'),
          },
        },
      ],
    };
  }
}
