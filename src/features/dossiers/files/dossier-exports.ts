import { Injectable } from '@nestjs/common';
import { type ActorContext, AuditTrail, stepOf } from '../../audit/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import { Clock, newUuid, publicId } from '../../../platform/kernel/index.js';

/** A file that somebody took out of the service. */
export interface ExportedDossier {
  readonly about: 'customer' | 'review' | 'subject' | 'communication' | 'metrics';
  /** The stored id of its subject; null for figures. */
  readonly id: string | null;
  readonly format: string;
  readonly language?: string;
  /** The file holds full documents. */
  readonly revealed: boolean;
  /** The file promises that every trail in it is whole. */
  readonly auditReady?: boolean;
  readonly trail?: string;
}

/** Records every export before its first byte leaves. */
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
      this.audit.record(tx, [
        stepOf(ctx, 'dossier', id, 'dossier.exported', new Date(this.clock.now()), {
          ...{ about, id: aboutId, format, revealed },
          language: exported.language ?? null,
          auditReady: exported.auditReady ?? null,
          trail: exported.trail ?? null,
        }),
      ]),
    );
    return publicId('dsr', id);
  }
}
