/** Addresses are stored and compared in this form. */
export const normalEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
