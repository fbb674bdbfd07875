import type { ComposedEntry } from '../../audit/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import type { ComposedEvent } from '../../webhooks/index.js';
import type { GroupingKeys } from '../domain/submission/grouping.js';
import type { Submission } from '../domain/submission/submission.js';

export type IngestSource = 'INGEST' | 'LEGACY';

/** Everything that one commit stores for a submission, computed before the transaction begins. */
export interface PreparedTransaction {
  readonly id: string;
  readonly organisationId: string;
  readonly clientAppId: string;
  readonly source: IngestSource;
  readonly submission: Submission;
  readonly receivedAt: Date;
  readonly context: RequestContext;
  readonly fingerprint: Buffer;
  readonly keys: GroupingKeys;
  readonly sealedBody: Buffer;
  readonly received: ComposedEntry;
  readonly queued: ComposedEvent;
}
