import pg from 'pg';
import type { Connections } from './connections.js';

/**
 * A connection that always has an error listener, because an error event without one ends the process. The pool
 * removes its listener before the query runner adds its own. The error itself can be ignored: the next statement on
 * the connection fails.
 */
export class ReconnectingClient extends pg.Client {
  /** URL of the host; empty for a connection that belongs to no `connections`. */
  readonly target: string;

  constructor(config: pg.ClientConfig & { readonly connections?: Connections } = {}) {
    // A pool keeps its first host; of several, another one may accept writes by now.
    const target = config.connections?.target;
    super(target === undefined || target === '' ? config : { ...config, connectionString: target });
    this.target = target ?? '';
    this.on('error', () => undefined);
  }
}
