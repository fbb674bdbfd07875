import { sheet } from '../../platform/sheets/index.js';
import type { ArtifactState } from './domain/artifact.js';

const livingActions = ['artifact.linked', 'artifact.viewed'] as const;
const laterActions = [...livingActions, 'artifact.lost', 'artifact.erased'] as const;
const ends = {
  STORED: ['artifact.stored', ...livingActions],
  LOST: ['artifact.lost', 'artifact.linked'],
  ERASED: ['artifact.erased', 'artifact.linked'],
} as const satisfies Record<ArtifactState, readonly string[]>;

interface ArtifactRow {
  readonly ownerType: string;
  readonly ownerId: string;
  readonly kind: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly contentIndex: Buffer;
}

/** A stored file. */
const artifact = sheet({
  type: 'artifact',
  id: 'art',
  actions: ['artifact.stored', ...laterActions],
  order: {
    first: ['artifact.stored'],
    follows: {
      'artifact.stored': laterActions,
      'artifact.linked': laterActions,
      'artifact.viewed': laterActions,
      // The record of a lost or erased artifact can still be linked to a dossier.
      'artifact.lost': ['artifact.linked'],
      'artifact.erased': ['artifact.linked'],
    },
  },
  last: ({ state }: { readonly state: ArtifactState }) => ends[state],
  says: ({ ownerType: owner, ownerId, kind, mimeType, sizeBytes, contentIndex }: ArtifactRow) => ({
    ...{ owner, ownerId, kind, mimeType, sizeBytes },
    content: contentIndex.toString('hex'),
  }),
});

/** The audited subjects of this feature. */
export const sheets = [artifact] as const;
