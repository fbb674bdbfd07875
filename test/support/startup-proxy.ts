import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const KEPT = new Set(['user', 'database']);
const LENGTH_AND_VERSION = 8;

/**
 * A way to PostgreSQL that tells it the user and the database of each connection, and drops all other options of the
 * startup message, as poolers do. It can also take a text out of what follows.
 */
export class StartupProxy {
  /** Names of options that were dropped. */
  readonly dropped = new Set<string>();
  /** Statements that do not reach the server, although it answers. */
  swallowed: string | null = null;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async before(url: string): Promise<StartupProxy> {
    const server = createServer();
    const proxy = new StartupProxy(server, new URL(url));
    server.on('connection', (socket) => {
      proxy.lead(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Returns a URL of the server by this way. */
  urlOf(direct: string): string {
    const url = new URL(direct);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private lead(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    let startup: Buffer | null = Buffer.alloc(0);
    near.on('data', (chunk) => {
      if (startup === null) {
        far.write(this.withoutSwallowed(chunk));
        return;
      }
      startup = Buffer.concat([startup, chunk]);
      if (startup.length < 4 || startup.length < startup.readInt32BE(0)) return;
      far.write(this.shortened(startup));
      startup = null;
    });
    far.pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }

  /** Reads pairs of names and values that end with a zero each, after length and version. */
  private shortened(message: Buffer): Buffer {
    const texts = message.toString('utf8', LENGTH_AND_VERSION).split('\0');
    const kept: string[] = [];
    for (let i = 0; texts[i]; i += 2) {
      const [name = '', value = ''] = texts.slice(i, i + 2);
      if (KEPT.has(name)) kept.push(name, value);
      else this.dropped.add(name);
    }
    const body = Buffer.from(`${kept.join('\0')}\0\0`);
    const head = Buffer.alloc(LENGTH_AND_VERSION);
    head.writeInt32BE(LENGTH_AND_VERSION + body.length, 0);
    message.copy(head, 4, 4, LENGTH_AND_VERSION);
    return Buffer.concat([head, body]);
  }

  /** The message keeps its length. */
  private withoutSwallowed(chunk: Buffer): Buffer {
    const { swallowed } = this;
    const at = swallowed === null ? -1 : chunk.indexOf(swallowed);
    return at === -1 ? chunk : Buffer.from(chunk).fill(' ', at, at + Buffer.byteLength(swallowed ?? ''));
  }
}
