import type { CoafCommunicationEntity } from '../store/entities/coaf-communication.entity.js';

/** A communication as it is stored. */
export type CommunicationRow = Readonly<CoafCommunicationEntity>;
