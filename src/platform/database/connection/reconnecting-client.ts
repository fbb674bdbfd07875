import pg from 'pg';

/**
 * A connection that always has an error listener, because an error event without one ends the process. The pool
 * removes its listener before the query runner adds its own. The error itself can be ignored: the next statement on
 * the connection fails.
 */
export class ReconnectingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
