import type { Response } from 'express';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import type { Listening } from './topics.js';

// A stream this far behind is ended; its reader resumes from where it was.
const MAX_UNSENT_BYTES = 1_000_000;

/** The reason why a stream ends; its reader comes back with the last id that it has seen. */
export type EndReason = 'UNAUTHORISED' | 'REPLACED' | 'TOO_SLOW' | 'SHUTDOWN';

/** One open stream of server-sent events, and its place in the log. */
export class ChangeStream {
  /** The place in the log up to which everything was told. */
  position = 0;
  badges: { stale: boolean; sentAt: number; text: string } = { stale: true, sentAt: -Infinity, text: '' };
  private ended = false;

  constructor(
    readonly operator: OperatorPrincipal,
    readonly token: string,
    readonly listening: Listening,
    private readonly response: Response,
  ) {}

  get isOpen(): boolean {
    return !this.ended && !this.response.writableEnded && !this.response.destroyed;
  }

  open(): void {
    // A proxy that collects or compresses the answer would hold it back.
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.write('retry: 2000\n\n');
  }

  /** `id` is the place to resume from; events outside of the log have none. */
  send(event: string, data: unknown, id?: number): void {
    const place = id === undefined ? '' : `id: ${id}\n`;
    this.write(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Keeps the connection alive, and tells the place, so that entries without interest are not read again. */
  beat(): void {
    this.write(`id: ${this.position}\nevent: beat\ndata: {}\n\n`);
  }

  end(reason: EndReason): void {
    if (!this.isOpen) return;
    this.send('end', { reason });
    this.ended = true;
    this.response.end();
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNSENT_BYTES) {
      this.ended = true;
      this.response.destroy();
    }
  }
}
