import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, auditDraftOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, newUuid, publicId } from '../../../platform/kernel/index.js';

export interface ExportedDossier {
  readonly about: 'customer' | 'review' | 'subject' | 'communication' | 'metrics';
  /** The stored id of the subject; null if the file contains only figures. */
  readonly id: string | null;
  readonly format: string;
  readonly language?: string;
  /** True if the file contains full documents. */
  readonly revealed: boolean;
  /** True if the export was requested on condition that all its trails are complete. */
  readonly auditReady?: boolean;
  readonly trail?: string;
}

/** Writes the audit entry of an export before its first byte is sent. */
@Injectable()
export class DossierExports {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Records an export and returns its public id. */
  async record(ctx: ActorContext, exported: ExportedDossier): Promise<string> {
    const id = newUuid();
    const { about, id: aboutId, format, revealed } = exported;
    await this.uow.run(ctx.organisationId, (tx) =>
      this.audit.record(
        tx,
        auditDraftOf(ctx, 'dossier', id, 'dossier.exported', new Date(this.clock.now()), {
          ...{ about, id: aboutId, format, revealed },
          language: exported.language ?? null,
          auditReady: exported.auditReady ?? null,
          trail: exported.trail ?? null,
        }),
      ),
    );
    return publicId('dsr', id);
  }
}
