/** The canonical form of an e-mail address, for storing and comparing. */
export const normaliseEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
