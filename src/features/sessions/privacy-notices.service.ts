import { Injectable } from '@nestjs/common';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../audit/index.js';
import { waitForLock, UnitOfWork } from '../../platform/database/index.js';
import { Clock, conflict, newUuid } from '../../platform/kernel/index.js';
import { canonicalJson } from '../../platform/kernel/values/canonical-json.js';
import type { PrivacyNotice } from './domain/making/privacy-notice.js';
import { PrivacyNoticeEntity } from './store/entities.js';

// A new version is shown within seconds. The cache saves a batch of step-ups from reading the same row each time.
const FRESH_MS = 5_000;

/** Stores privacy notices by version. A session shows the version that was current at its creation. */
@Injectable()
export class PrivacyNoticesService {
  private readonly cachedVersions = new Map<
    string,
    { readonly version: number | null; readonly at: number }
  >();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** Returns the newest version; null if the organisation has none. */
  async findCurrent(organisationId: string): Promise<PrivacyNoticeEntity | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOne(PrivacyNoticeEntity, { where: { organisationId }, order: { version: 'DESC' } }),
    );
  }

  /** Returns the number of the newest version, at most 5 seconds old. */
  async currentVersion(organisationId: string): Promise<number | null> {
    const cachedVersion = this.cachedVersions.get(organisationId);
    if (cachedVersion && performance.now() - cachedVersion.at < FRESH_MS) return cachedVersion.version;
    const version = (await this.findCurrent(organisationId))?.version ?? null;
    if (this.cachedVersions.size >= 1_000) this.cachedVersions.clear();
    this.cachedVersions.set(organisationId, { version, at: performance.now() });
    return version;
  }

  async findVersion(organisationId: string, version: number | null): Promise<PrivacyNoticeEntity | null> {
    if (version === null) return null;
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(PrivacyNoticeEntity, { organisationId, version }),
    );
  }

  /** Publishes the next version. Refuses unchanged content. */
  async publish(ctx: ActorContext, content: PrivacyNotice): Promise<PrivacyNoticeEntity> {
    const { organisationId } = ctx;
    const createdAt = new Date(this.clock.now());
    const row = await this.uow.run(organisationId, async (tx) => {
      await waitForLock(tx, `privacy-notice:${organisationId}`);
      const newest = await tx.findOne(PrivacyNoticeEntity, {
        where: { organisationId },
        order: { version: 'DESC' },
      });
      if (newest && canonicalJson(newest.content) === canonicalJson(content)) {
        throw conflict('', 'UNCHANGED', 'The newest version has this content already.');
      }
      const next = {
        ...{ id: newUuid(), organisationId, version: (newest?.version ?? 0) + 1, content },
        ...{ createdBy: formatActor(ctx), createdAt },
      };
      await tx.insert(PrivacyNoticeEntity, next);
      await this.audit.record(
        tx,
        auditDraftOf(ctx, 'privacy_notice', next.id, 'privacy_notice.published', createdAt, {
          version: next.version,
        }),
      );
      return next;
    });
    this.cachedVersions.delete(organisationId);
    return row;
  }
}
