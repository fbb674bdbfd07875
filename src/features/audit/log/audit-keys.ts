import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { signerOf, vkeyOf, type NoteSigner } from '../domain/signed/signed-note.js';

/** The keys that sign checkpoints. The first of AUDIT_KEYS signs; the others have signed before. */
@Injectable()
export class AuditKeys {
  readonly current: NoteSigner;
  /** Every key of the settings as an auditor pins it, the signing one first. */
  readonly verifierKeys: readonly string[];
  readonly signers: readonly NoteSigner[];

  constructor(settings: Settings) {
    const name = `${settings.serviceName.toLowerCase()}/${settings.environment}`;
    this.signers = settings.auditKeys.map(({ bytes }) => signerOf(name, bytes));
    const [current] = this.signers;
    if (!current) throw new Error('AUDIT_KEYS is empty');
    this.current = current;
    this.verifierKeys = this.signers.map(vkeyOf);
  }
}
