import type { Response } from 'express';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import type { StreamListener } from './topics.js';

// Maximum unsent bytes; a stream with more is ended, and the client reconnects and resumes.
const MAX_UNSENT_BYTES = 1_000_000;

/** Why a stream ended. The client reconnects with the last event id that it received. */
export type EndReason = 'UNAUTHORISED' | 'REPLACED' | 'TOO_SLOW' | 'SHUTDOWN';

/** One open stream of server-sent events, with its position in the audit log. */
export class ChangeStream {
  /** The log position up to which all changes were sent. */
  position = 0;
  badges: { stale: boolean; sentAt: number; text: string } = { stale: true, sentAt: -Infinity, text: '' };
  private hasEnded = false;

  constructor(
    readonly operator: OperatorPrincipal,
    readonly token: string,
    readonly listening: StreamListener,
    private readonly response: Response,
  ) {}

  get isOpen(): boolean {
    return !this.hasEnded && !this.response.writableEnded && !this.response.destroyed;
  }

  open(): void {
    // Stops proxies from buffering or compressing the stream.
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.write('retry: 2000\n\n');
  }

  /** `id` is the log position to resume from. Events that are not in the log, such as badges, have no id. */
  send(event: string, data: unknown, id?: number): void {
    const place = id === undefined ? '' : `id: ${id}\n`;
    this.write(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps the connection alive. Its id lets a resumed stream skip entries that were filtered out. */
  sendHeartbeat(): void {
    this.write(`id: ${this.position}\nevent: beat\ndata: {}\n\n`);
  }

  end(reason: EndReason): void {
    if (!this.isOpen) return;
    this.send('end', { reason });
    this.hasEnded = true;
    this.response.end();
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNSENT_BYTES) {
      this.hasEnded = true;
      this.response.destroy();
    }
  }
}
