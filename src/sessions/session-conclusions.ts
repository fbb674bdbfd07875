import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import type { SessionResult, SessionRow } from './domain/records.js';

/** What else happens in the commit that ends a session. */
@Injectable()
export class SessionConclusions {
  announce(_tx: Tx, _session: SessionRow, _result: SessionResult): Promise<void> {
    return Promise.resolve();
  }
}
