import { randomBytes } from 'node:crypto';

/** The name of this process's connections at the server, which tells them from those of every other one. */
export const PROCESS_NAME = `vigia ${randomBytes(4).toString('hex')}`;
