import pg from 'pg';
import { beginSession, COMMON_SESSION, type SessionSettings } from './session-settings.js';

export interface SessionConfig extends pg.ClientConfig {
  /** If absent, the settings of every connection (`COMMON_SESSION`). */
  readonly session?: SessionSettings;
  /** `target` is the host that accepts writes now, if there are several hosts. */
  readonly connections?: { readonly target: string };
}

/**
 * A connection that counts as connected only once its session has the wanted settings. It always has an error listener,
 * because an error event without a listener ends the process, and the pool removes its listener before the query runner
 * adds its own. The error itself can be ignored: the next statement on the connection fails.
 */
export class ReconnectingClient extends pg.Client {
  /** URL of the host; empty for a connection that belongs to no `connections`. */
  readonly target: string;
  private readonly session: SessionSettings;

  constructor(config: SessionConfig = {}) {
    // A pool keeps its first host; if there are several, another host may accept writes by now.
    const target = config.connections?.target;
    super(target === undefined || target === '' ? config : { ...config, connectionString: target });
    this.target = target ?? '';
    this.session = config.session ?? COMMON_SESSION;
    this.on('error', () => undefined);
  }

  /** Rejects with SessionRefusedError if the session cannot be set. */
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): unknown {
    const connected = this.open();
    if (!callback) return connected;
    connected.then(() => {
      callback(null as never);
    }, callback);
    return undefined;
  }

  private async open(): Promise<pg.Client> {
    await super.connect();
    try {
      await beginSession(this, this.session);
    } catch (error) {
      // The pool forgets a client that could not connect, and closes nothing.
      void this.end();
      throw error;
    }
    return this;
  }
}
