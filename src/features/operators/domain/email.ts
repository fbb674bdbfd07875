/** The canonical form of an e-mail address, for storing and comparing. */
export const normalEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
