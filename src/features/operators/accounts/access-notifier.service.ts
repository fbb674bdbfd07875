import { Injectable } from '@nestjs/common';
import { ArrayContains } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { Mailer } from '../../../platform/mail/index.js';
import type { OperatorRef } from '../operator-trail.js';
import { OperatorEntity } from '../store/entities/operator.entity.js';

/**
 * Mails all administrators when somebody's access changed, and who changed it, so that nobody gains or loses access
 * unnoticed. Throws MAIL_UNAVAILABLE if no mail server accepted the message; the change is then rolled back.
 */
@Injectable()
export class AccessNotifier {
  constructor(private readonly mailer: Mailer) {}

  /** Notifies of a change that one administrator requested and another administrator approved. */
  async notifyOfApprovedChange(
    tx: Tx,
    organisationId: string,
    what: string,
    [maker, checker]: readonly [maker: string, checker: string],
  ): Promise<void> {
    const [askedBy, approvedBy] = [
      await nameOf(tx, organisationId, maker),
      await nameOf(tx, organisationId, checker),
    ];
    const by = `Pedido por / asked by: ${askedBy}\nAprovado por / approved by: ${approvedBy}\n`;
    await this.send(await administrators(tx, organisationId), `${what}\n\n${by}`);
  }

  /** Notifies of access that one administrator removed alone. The affected person also gets the message. */
  async notifyOfRemoval(
    tx: Tx,
    { organisationId, email, name }: OperatorRef & Pick<OperatorEntity, 'email' | 'name'>,
    what: string,
    byId: string,
  ): Promise<void> {
    const by = `Por / by: ${await nameOf(tx, organisationId, byId)}\n`;
    const to = [...(await administrators(tx, organisationId)), ...(email === null ? [] : [email])];
    await this.send([...new Set(to)], `${name} <${email ?? '-'}>: ${what}\n\n${by}`);
  }

  private send(to: readonly string[], text: string): Promise<void> {
    return this.mailer.send({ to, subject: 'Vigia: pessoas e acessos / people and access', text });
  }
}

async function administrators(tx: Tx, organisationId: string): Promise<string[]> {
  const found = await tx.findBy(OperatorEntity, {
    ...{ organisationId, kind: 'PERSON' as const, status: 'ENABLED' as const },
    roles: ArrayContains(['ADMIN']),
  });
  return found.flatMap(({ email }) => email ?? []);
}

const nameOf = async (tx: Tx, organisationId: string, id: string): Promise<string> =>
  (await tx.findOneByOrFail(OperatorEntity, { organisationId, id })).name;
