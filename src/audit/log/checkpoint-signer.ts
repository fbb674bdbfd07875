import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { AuditKeys } from './audit-keys.js';
import { originOf, parseCheckpoint, signCheckpoint } from '../domain/checkpoint.js';
import { isSignedBy, verifierOf } from '../domain/signed-note.js';

export interface LogPosition {
  readonly organisationId: string;
  readonly incarnation: number;
  readonly size: number;
  readonly root: Buffer;
  readonly signedAt: Date;
}

/** Signs where a log stands. The time is part of what is signed: a checkpoint also says until when nothing followed. */
@Injectable()
export class CheckpointSigner {
  constructor(
    private readonly keys: AuditKeys,
    private readonly settings: Settings,
  ) {}

  origin(organisationId: string, incarnation: number): string {
    return originOf(this.settings.serviceName, this.settings.environment, organisationId, incarnation);
  }

  /** Whether a note was signed with one of our keys, and says this size and root. */
  isOurs({
    size,
    root,
    note,
  }: {
    readonly size: number;
    readonly root: Buffer;
    readonly note: string;
  }): boolean {
    const parsed = parseCheckpoint(note);
    const saysSo = parsed?.checkpoint.size === size && parsed.checkpoint.root.equals(root);
    if (!parsed || !saysSo) return false;
    return this.keys.verifierKeys.some((key) => {
      const verifier = verifierOf(key);
      return verifier !== null && isSignedBy(parsed.note, verifier);
    });
  }

  sign({ organisationId, incarnation, size, root, signedAt }: LogPosition): string {
    const origin = this.origin(organisationId, incarnation);
    const extensions = [`time ${signedAt.toISOString()}`];
    return signCheckpoint({ origin, size, root, extensions }, [this.keys.current]);
  }
}
