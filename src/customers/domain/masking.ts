/** The first character and the domain, by which a person can be asked for the right one. */
export function maskedEmail(email: string | null): string | null {
  if (email === null) return null;
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${String.fromCodePoint(email.codePointAt(0) ?? 42)}***${email.slice(at)}`;
}

/** The last four digits. */
export function maskedPhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = phone.replace(/\D/g, '');
  return digits.length < 8 ? '***' : `***${digits.slice(-4)}`;
}
