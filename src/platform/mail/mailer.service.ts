import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import { Settings } from '../config/index.js';
import { onceChecked, type Tx } from '../database/index.js';
import { Clock, DomainError, newUuid } from '../kernel/index.js';
import { hostOf, OutboundProxy } from '../outbound/index.js';

export interface MailMessage {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

// The caller keeps a database transaction open meanwhile: a slower mail server counts as unavailable.
const LIMIT_MS = 10_000;

/**
 * Sends mail to operators through MAIL_URL. Without it, each message becomes a file in the folder `outbox` of DATA_DIR,
 * readable by the service's user only, for somebody to pass on. Messages are never logged.
 */
@Injectable()
export class Mailer {
  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly proxy: OutboundProxy,
  ) {}

  /**
   * Sends the message as the last thing before `tx` commits, so that work that runs again, after a deadlock or a check
   * of the database, sends it once. If it is not accepted, `tx` does not commit and throws MAIL_UNAVAILABLE.
   */
  sendWithCommit(tx: Tx, message: MailMessage): void {
    onceChecked(tx, () => this.send(message));
  }

  /** Throws MAIL_UNAVAILABLE if the message was not accepted. */
  async send({ to, subject, text }: MailMessage): Promise<void> {
    if (to.length === 0) return;
    const message = { from: this.settings.mailFrom, to: [...to], subject, text };
    const { mailUrl } = this.settings;
    try {
      await (mailUrl === null
        ? this.writeToOutbox(message)
        : transportOf(mailUrl, this.proxy).sendMail(message));
    } catch (error) {
      throw new DomainError('MAIL_UNAVAILABLE', { cause: error });
    }
  }

  /** Connects to the server of MAIL_URL and logs in, without a message. Rejects if it cannot. */
  async reach(): Promise<void> {
    const { mailUrl } = this.settings;
    if (mailUrl !== null) await transportOf(mailUrl, this.proxy).verify();
  }

  private async writeToOutbox(message: SendMailOptions): Promise<void> {
    const outbox = path.join(this.settings.dataDir, 'outbox');
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const written = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
    const name = `${new Date(this.clock.now()).toISOString().replaceAll(':', '')}-${newUuid()}.eml`;
    await writeFile(path.join(outbox, name), written.message as Buffer, { mode: 0o600, flag: 'wx' });
  }
}

const transportOf = (url: string, proxy: OutboundProxy): Transporter =>
  createTransport({
    url,
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
    ...(proxy.usesProxyFor(hostOf(new URL(url))) && { proxy: proxy.url?.href }),
    // TLS is required if the URL has credentials, to protect them and the tokens in messages.
    requireTLS: new URL(url).username !== '',
  });
