import pg from 'pg';

/**
 * A connection whose loss is never unheard. Between the pool that hands it out and the query runner that takes it,
 * nobody listens for its errors, and an error event that nobody hears ends the process. Whoever uses the connection
 * next is told by the statement that fails.
 */
export class ReconnectingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
