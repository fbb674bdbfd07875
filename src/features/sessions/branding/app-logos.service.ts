import type { IncomingMessage } from 'node:http';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ClientAppsService, type AppChangeActor } from '../../auth/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { PictureIntake } from '../../uploads/index.js';
import { AppLogoEntity } from '../store/entities.js';

const HASH = /^[0-9a-f]{64}$/;
const MAX_CACHED_LOGOS = 200;

/** Stores the logos of applications. An external image would disclose to its server who is being verified. */
@Injectable()
export class AppLogosService {
  private readonly cachedLogos = new Map<string, Buffer>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly pictures: PictureIntake,
    private readonly apps: ClientAppsService,
  ) {}

  /** Re-encodes the uploaded picture and makes it the logo of the application. */
  async put(
    organisationId: string,
    appId: string,
    request: IncomingMessage,
    author: AppChangeActor,
  ): Promise<void> {
    // Throws for an unknown application before anything is stored.
    await this.uow.run(organisationId, (tx) => this.apps.lockApp(tx, organisationId, appId));
    const png = await this.pictures.receive(request);
    const hash = createHash('sha256').update(png).digest('hex');
    await this.uow.run(organisationId, (tx) =>
      tx
        .createQueryBuilder()
        .insert()
        .into(AppLogoEntity)
        .values({ organisationId, hash, png })
        .orIgnore()
        .execute(),
    );
    await this.apps.setLogo(organisationId, appId, hash, author);
  }

  async remove(organisationId: string, appId: string, author: AppChangeActor): Promise<void> {
    await this.apps.setLogo(organisationId, appId, null, author);
  }

  /** Returns the picture with this hash, of any organisation, or null. */
  async find(hash: string): Promise<Buffer | null> {
    if (!HASH.test(hash)) return null;
    const cachedLogo = this.cachedLogos.get(hash);
    if (cachedLogo) return cachedLogo;
    const row = await this.uow.read(system('sessions.logos'), (db) => db.findOneBy(AppLogoEntity, { hash }));
    if (!row) return null;
    if (this.cachedLogos.size >= MAX_CACHED_LOGOS) this.cachedLogos.clear();
    this.cachedLogos.set(hash, row.png);
    return row.png;
  }
}
