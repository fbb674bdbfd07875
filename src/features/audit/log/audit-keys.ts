import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { createSigner, formatVerifierKey, type NoteSigner } from '../domain/signed/signed-note.js';

/** The keys of AUDIT_KEYS. The first signs; the others verify older checkpoints. */
@Injectable()
export class AuditKeys {
  readonly current: NoteSigner;
  /** Every public key in the form that an auditor pins (`name+hash+key`), the signing key first. */
  readonly verifierKeys: readonly string[];
  readonly signers: readonly NoteSigner[];

  constructor(settings: Settings) {
    const name = `${settings.serviceName.toLowerCase()}/${settings.environment}`;
    this.signers = settings.auditKeys.map(({ bytes }) => createSigner(name, bytes));
    const [current] = this.signers;
    if (!current) throw new Error('AUDIT_KEYS is empty');
    this.current = current;
    this.verifierKeys = this.signers.map(formatVerifierKey);
  }
}
