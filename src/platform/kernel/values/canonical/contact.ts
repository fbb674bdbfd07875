import { unescape } from 'node:querystring';
import { domainToASCII } from 'node:url';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const E164_BRAZIL = /^\+55[1-9]{2}9\d{8}$/;
/** Schemes of links (RFC 3966, RFC 5724 and others), and the page that opens a chat. */
const PHONE_LINK = /^(?:(?:tel|sms|callto|whatsapp):(?:\/\/)?|https?:\/\/wa\.me\/(?=\d))/i;
/** Parameters of such a link. An extension is not matched, because it makes the number another line. */
const PHONE_PARAMETERS = /[;?](?!.*\bext=).*$/i;
const PHONE_CONTEXT = /;phone-context=(\+[\d-]+)/i;
const LOOKS_LIKE_PHONE = /^\+?[\d ()./-]{8,30}$/;
const AREA_AND_NUMBER = 10;
const INTERNATIONAL = /^00(?=[1-9])/;
/** `0xx11`: the two letters stand for the operator of a long-distance call. */
const OPERATOR = /^(\(?)0xx/i;

/** Returns a telephone number in E.164. A number without a country code is Brazilian. */
export function canonicalPhoneNumber(text: string): string | null {
  // The library takes about 20 microseconds, and nearly all PIX numbers are already in E.164.
  if (E164_BRAZIL.test(text)) return text;
  const number = phoneIn(text);
  if (!LOOKS_LIKE_PHONE.test(number)) return null;
  const parsed = parsePhoneNumberFromString(number.replace(INTERNATIONAL, '+'), 'BR');
  if (parsed?.isPossible() !== true || parsed.ext !== undefined) return null;
  // Refuses a number without an area code: the same digits exist in every area.
  const isLocal = parsed.countryCallingCode === '55' && parsed.nationalNumber.length < AREA_AND_NUMBER;
  return isLocal ? null : parsed.number;
}

/** Takes a number out of a link. `wa.me` has it in full, without `+`. */
function phoneIn(text: string): string {
  const link = PHONE_LINK.exec(text)?.[0];
  if (link === undefined) return text.replace(OPERATOR, '$10');
  const number = text.slice(link.length).replace(PHONE_PARAMETERS, '');
  const isFull = /^(?:https?|whatsapp)/i.test(link) && !number.startsWith('+');
  const context = number.startsWith('+') ? '' : (PHONE_CONTEXT.exec(text)?.[1] ?? '');
  return `${isFull ? '+' : ''}${context}${number}`;
}

const MAX_EMAIL = 254;
const MAIL_LINK = /^mailto:([^?]*)/i;
const WITH_NAME = /^[^<>]*<([^<>]+)>$/;
const QUOTED = /^"([^"\\\s]+)"(?=@)/;

/** Takes an address out of a link (RFC 6068), the brackets behind a name, and quotes that it does not need. */
function emailIn(written: string): string {
  const link = MAIL_LINK.exec(written)?.[1];
  if (link !== undefined) return unescape(link).trim();
  return (WITH_NAME.exec(written)?.[1] ?? written).replace(QUOTED, '$1').trim();
}

/** Returns an e-mail address in small letters, with its domain in ASCII (IDNA). */
export function canonicalEmailAddress(written: string): string | null {
  const text = emailIn(written);
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > MAX_EMAIL || /[\s"(),:;<>[\]\\]/.test(text)) return null;
  const local = text.slice(0, at).toLowerCase().normalize('NFC');
  const domain = domainToASCII(text.slice(at + 1).replace(/\.$/, ''));
  return domain.includes('.') && !local.includes('@') ? `${local}@${domain}` : null;
}
