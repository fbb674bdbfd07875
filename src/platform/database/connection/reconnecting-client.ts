import pg from 'pg';

/**
 * A connection that always has a listener for errors. Between the pool that hands it out and the query runner that
 * takes it there is no other, and an error event without a listener ends the process. The next statement on the
 * connection fails and so reports the loss.
 */
export class ReconnectingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
