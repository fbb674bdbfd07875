import { Injectable } from '@nestjs/common';
import { ArrayContains } from 'typeorm';
import type { Actor } from '../../audit/index.js';
import { TellOfSecret, type SecretNotice } from '../../auth/index.js';
import type { Tx } from '../../../platform/database/index.js';
import { Mailer } from '../../../platform/mail/index.js';
import type { OperatorRef } from '../operator-audit.js';
import { OperatorEntity } from '../store/entities.js';

/**
 * Mails all administrators when somebody's access changed, and who changed it, so that nobody gains or loses access
 * unnoticed. Throws MAIL_UNAVAILABLE if no mail server accepted the message; the change is then rolled back.
 */
@Injectable()
export class AccessNotifierService {
  constructor(private readonly mailer: Mailer) {}

  /** Notifies of a change that one administrator requested and another administrator approved. */
  async notifyOfApprovedChange(
    tx: Tx,
    organisationId: string,
    what: string,
    [maker, checker]: readonly [maker: string, checker: string],
  ): Promise<void> {
    const by = await partiesText(tx, organisationId, [maker, checker]);
    this.send(tx, await findAdminAddresses(tx, organisationId), `${what}\n\n${by}`);
  }

  /**
   * Notifies of a new secret of an application, or of an application that was enabled again, so that its secrets are
   * valid.
   */
  @TellOfSecret()
  async notifyOfSecret(tx: Tx, { organisationId, app, what, by, people }: SecretNotice): Promise<void> {
    const to = await findAdminAddresses(tx, organisationId);
    if (to.length === 0) return;
    const who = people
      ? await partiesText(tx, organisationId, people)
      : `Por / by: ${await nameOfActor(tx, organisationId, by)}\n`;
    this.send(tx, to, `${app.name} (${app.clientId}):\n${SECRET_TEXTS[what]}\n\n${who}`);
  }

  /** Notifies of access that one administrator removed alone. The affected person also gets the message. */
  async notifyOfRemoval(
    tx: Tx,
    { organisationId, email, name }: OperatorRef & Pick<OperatorEntity, 'email' | 'name'>,
    what: string,
    byId: string,
  ): Promise<void> {
    const by = `Por / by: ${await nameOf(tx, organisationId, byId)}\n`;
    const to = [...(await findAdminAddresses(tx, organisationId)), ...(email === null ? [] : [email])];
    this.send(tx, [...new Set(to)], `${name} <${email ?? '-'}>: ${what}\n\n${by}`);
  }

  private send(tx: Tx, to: readonly string[], text: string): void {
    this.mailer.sendWithCommit(tx, { to, subject: 'Vigia: pessoas e acessos / people and access', text });
  }
}

const SECRET_TEXTS: Readonly<Record<SecretNotice['what'], string>> = {
  NEW_SECRET: 'novo segredo de aplicação / new secret of an application',
  ENABLED_AGAIN: 'aplicação ligada de novo / application enabled again',
};

async function partiesText(
  tx: Tx,
  organisationId: string,
  [maker, checker]: readonly [maker: string, checker: string],
): Promise<string> {
  const askedBy = await nameOf(tx, organisationId, maker);
  const approvedBy = await nameOf(tx, organisationId, checker);
  return `Pedido por / asked by: ${askedBy}\nAprovado por / approved by: ${approvedBy}\n`;
}

const nameOfActor = async (tx: Tx, organisationId: string, { type, id }: Actor): Promise<string> =>
  type === 'operator' ? nameOf(tx, organisationId, id) : `${type}:${id}`;

async function findAdminAddresses(tx: Tx, organisationId: string): Promise<string[]> {
  const operators = await tx.findBy(OperatorEntity, {
    ...{ organisationId, kind: 'PERSON' as const, status: 'ENABLED' as const },
    roles: ArrayContains(['ADMIN']),
  });
  return operators.flatMap(({ email }) => email ?? []);
}

const nameOf = async (tx: Tx, organisationId: string, id: string): Promise<string> =>
  (await tx.findOneByOrFail(OperatorEntity, { organisationId, id })).name;
