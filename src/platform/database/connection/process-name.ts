import { randomBytes } from 'node:crypto';

/** The `application_name` of the connections of this process, different for each process. */
export const PROCESS_NAME = `vigia ${randomBytes(4).toString('hex')}`;
