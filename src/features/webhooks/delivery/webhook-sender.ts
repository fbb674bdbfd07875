import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { HttpSender, type HttpPost } from '../../../platform/outbound/index.js';
import { redact } from '../../../platform/telemetry/index.js';
import type { AttemptResult } from '../domain/schedule.js';
import { WebhookTargets } from './webhook-targets.js';

export type WebhookRequest = HttpPost;

export interface SendResult extends AttemptResult {
  /** The beginning of the response body, masked; null when the body was empty. */
  readonly excerpt: string | null;
  readonly durationMs: number;
}

const READ_LIMIT = 64 * 1024;
const EXCERPT_LENGTH = 4_096;

/** Sends webhooks. Returns network errors as results; never rejects. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly sender: HttpSender;

  constructor(settings: Settings, targets: WebhookTargets) {
    this.sender = new HttpSender(targets, {
      timeoutMs: settings.webhookTimeoutMs,
      readLimitBytes: READ_LIMIT,
      maxFreeSockets: settings.webhookConcurrency,
    });
  }

  async send(request: WebhookRequest): Promise<SendResult> {
    const { statusCode, errorCode, retryAfter, body, durationMs } = await this.sender.send(request);
    return { statusCode, errorCode, retryAfter, durationMs, excerpt: excerptOf(body) };
  }

  onApplicationShutdown(): void {
    this.sender.destroy();
  }
}

function excerptOf(body: Buffer): string | null {
  if (body.length === 0) return null;
  // Reads twice the length, because masking shortens the text, and masking would miss a number that is cut in half.
  const text = redact(body.toString('utf8', 0, 2 * EXCERPT_LENGTH));
  const printable = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').slice(0, EXCERPT_LENGTH);
  return printable === '' ? null : printable;
}
