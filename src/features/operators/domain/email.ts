/** The canonical form in which addresses are stored and compared. */
export const normalEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
