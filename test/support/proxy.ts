import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A forward proxy that knows CONNECT, on a free port of this machine: it notes what it is asked for and leads elsewhere. */
export class ForwardProxy {
  /** The targets that it was asked for, as they were written. */
  readonly asked: string[] = [];
  readonly credentials: (string | undefined)[] = [];
  /** Answers with this status instead of opening the way. */
  refuse: number | null = null;
  /** Takes requests and says nothing. */
  silent = false;
  /** Where each target really leads; what is not here is refused. */
  readonly leads = new Map<string, number>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<ForwardProxy> {
    const server = createServer((_, response) => {
      response.writeHead(400).end();
    });
    const proxy = new ForwardProxy(server);
    server.on('connection', (socket) => {
      proxy.sockets.add(socket);
      socket.once('close', () => proxy.sockets.delete(socket));
    });
    server.on('connect', (request, client: Socket) => {
      proxy.lead(request.url ?? '', request.headers['proxy-authorization'], client);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private lead(target: string, credentials: string | undefined, client: Socket): void {
    this.asked.push(target);
    this.credentials.push(credentials);
    client.on('error', () => undefined);
    if (this.silent) return;
    const port = this.leads.get(target);
    if (this.refuse !== null || port === undefined) {
      client.end(`HTTP/1.1 ${this.refuse ?? 403} No\r\ncontent-length: 2\r\n\r\nno`);
      return;
    }
    const there = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(client).pipe(there);
    });
    there.on('error', () => client.destroy());
    client.once('close', () => there.destroy());
  }
}
