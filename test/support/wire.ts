import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { reservedPort } from './ports.mjs';

/** A way to Redis that can be cut and mended. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => {
    const far = connect({ host: this.target.hostname, port: Number(this.target.port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  });
  private port = 0;

  constructor(private readonly target: URL) {}

  async mend(): Promise<void> {
    this.port ||= await reservedPort();
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  cut(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }
}
