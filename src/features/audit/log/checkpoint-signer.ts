import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { AuditKeys } from './audit-keys.js';
import { originOf, signCheckpoint } from '../domain/signed/checkpoint.js';
import { pinnedCheckpoint } from '../domain/signed/witness.js';

export interface LogPosition {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly size: number;
  readonly root: Buffer;
  readonly signedAt: Date;
}

/** Signs the state of a log with the time: a checkpoint also proves that the log had no more entries at that time. */
@Injectable()
export class CheckpointSigner {
  constructor(
    private readonly keys: AuditKeys,
    private readonly settings: Settings,
  ) {}

  origin(organisationId: string, incarnation: number): string {
    return originOf(this.settings.serviceName, this.settings.environment, organisationId, incarnation);
  }

  /** True if one of our keys signed the note, and the note has this size and root. */
  isOurs({ size, root, note }: Pick<LogPosition, 'size' | 'root'> & { readonly note: string }): boolean {
    const checkpoint = pinnedCheckpoint(note, this.keys.signers);
    return checkpoint?.size === size && checkpoint.root.equals(root);
  }

  sign({ organisationId, incarnation, size, root, signedAt }: LogPosition): string {
    const origin = this.origin(organisationId, incarnation);
    const extensions = [`time ${signedAt.toISOString()}`];
    return signCheckpoint({ origin, size, root, extensions }, [this.keys.current]);
  }
}
