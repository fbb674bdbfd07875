import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { freshDatabase, type TestDatabase } from './database.js';
import { reservedPort } from './ports.mjs';

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/**
 * A host of the server of the tests where a database takes no writes, as on a standby, until it is promoted. It leads to
 * another database whose name is as long, so that the name can be changed in the first message of a connection.
 */
export class Standby {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => {
    this.lead(near);
  });
  private isPromoted = false;

  private constructor(
    private readonly database: TestDatabase,
    private readonly readOnly: TestDatabase,
    readonly port: number,
  ) {}

  static async of(database: TestDatabase): Promise<Standby> {
    const readOnly = await freshDatabase();
    const owner = new pg.Client({ connectionString: readOnly.ownerUrl });
    await owner.connect();
    await owner.query(`ALTER DATABASE ${nameOf(readOnly.ownerUrl)} SET default_transaction_read_only = on`);
    await owner.end();
    const standby = new Standby(database, readOnly, await reservedPort());
    standby.server.listen(standby.port, '127.0.0.1');
    await once(standby.server, 'listening');
    return standby;
  }

  /** From now on it takes writes; its connections end. */
  promote(): void {
    this.isPromoted = true;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private lead(near: Socket): void {
    const { hostname, port } = new URL(this.database.ownerUrl);
    const far = connect(Number(port), hostname);
    near.once('data', (first) => {
      const text = first.toString('latin1');
      const name = nameOf(this.database.ownerUrl);
      const other = this.isPromoted ? name : nameOf(this.readOnly.ownerUrl);
      far.write(Buffer.from(text.replaceAll(name, other), 'latin1'));
      near.pipe(far);
      far.pipe(near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
