import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A way to a server on this machine that can begin to drop: neither an answer nor a refusal comes any more, on connections
 * that are open and on new ones. What was dropped is gone for good, as it is after a firewall forgot its connections.
 */
export class BlackHole {
  private readonly sockets = new Set<Socket>();
  /** Counts the times that it began to drop: a connection from before then carries nothing ever again. */
  private drops = 0;
  private dropping = false;
  private last: string | null = null;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async before(url: string): Promise<BlackHole> {
    const server = createServer();
    const hole = new BlackHole(server, new URL(url));
    server.on('connection', (socket) => {
      hole.lead(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return hole;
  }

  /** The URL of the server, by this way. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  drop(): void {
    this.dropping = true;
    this.drops += 1;
  }

  /** The next message to the server with this text is the last that arrives. */
  dropAfter(text: string): void {
    this.last = text;
  }

  heal(): void {
    this.dropping = false;
  }

  async close(): Promise<void> {
    // Who comes from now on is not let in, or the server would wait for them for ever.
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private lead(near: Socket): void {
    if (!this.server.listening) {
      near.destroy();
      return;
    }
    const { drops, dropping } = this;
    const lost = (): boolean => dropping || this.drops > drops;
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', (chunk) => {
        if (lost()) return;
        to.write(chunk);
        if (this.last === null || from !== near || !chunk.includes(this.last)) return;
        this.last = null;
        this.drop();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        if (!lost()) to.destroy();
      });
    }
  }
}
