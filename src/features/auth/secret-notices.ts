import { Injectable } from '@nestjs/common';
import type { Actor } from '../audit/index.js';
import type { Tx } from '../../platform/database/index.js';
import { registration, Registry } from '../../platform/registry/index.js';
import type { ClientAppEntity } from './store/entities.js';

/** A new secret of an application, or one that is good again because the application was enabled. */
export interface SecretNotice {
  readonly organisationId: string;
  readonly app: Pick<ClientAppEntity, 'name' | 'clientId'>;
  readonly what: 'NEW_SECRET' | 'ENABLED_AGAIN';
  readonly by: Actor;
  /** The two people of a request; absent where one person is enough. */
  readonly people?: readonly [maker: string, checker: string];
}

/** Decorates the method that tells administrators. Throws MAIL_UNAVAILABLE, and the change is then rolled back. */
export const TellOfSecret =
  registration<(tx: Tx, notice: SecretNotice) => Promise<void>>('notice of a new secret');

/** Tells administrators of secrets, so that nobody makes one unnoticed. */
@Injectable()
export class SecretNotices {
  constructor(private readonly registry: Registry) {}

  async tell(tx: Tx, notice: SecretNotice): Promise<void> {
    const tell = this.registry.methodsOf(TellOfSecret).get();
    if (!tell) throw new Error('nobody tells of new secrets');
    await tell.call(tx, notice);
  }
}
