import { createHash } from 'node:crypto';

/** The alphabet of Bitcoin. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** The alphabet of the XRP Ledger. */
export const XRP_BASE58 = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_BYTES = 4;

const sha256Twice = (bytes: Buffer): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

export function decodeBase58(text: string, alphabet = BASE58): Buffer | null {
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return null;
    value = value * 58n + BigInt(digit);
  }
  const zeros = Array.from(text).findIndex((character) => character !== alphabet[0]);
  const hex = value === 0n ? '' : value.toString(16);
  return Buffer.concat([
    Buffer.alloc(zeros < 0 ? text.length : zeros),
    Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'),
  ]);
}

export function encodeBase58(bytes: Buffer, alphabet = BASE58): string {
  let value = BigInt(`0x0${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = `${alphabet.charAt(Number(value % 58n))}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return alphabet.charAt(0).repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** Returns the bytes before a right checksum (Base58Check); null otherwise. */
export function decodeBase58Check(text: string, alphabet = BASE58): Buffer | null {
  const bytes = decodeBase58(text, alphabet);
  if (bytes === null || bytes.length <= CHECKSUM_BYTES) return null;
  const content = bytes.subarray(0, -CHECKSUM_BYTES);
  return sha256Twice(content).subarray(0, CHECKSUM_BYTES).equals(bytes.subarray(-CHECKSUM_BYTES))
    ? content
    : null;
}

export const encodeBase58Check = (content: Buffer, alphabet = BASE58): string =>
  encodeBase58(Buffer.concat([content, sha256Twice(content).subarray(0, CHECKSUM_BYTES)]), alphabet);

/** Regroups bits, the first one highest. Returns null if bits that are left over are not zero or a whole digit. */
export function regroupBits(values: Iterable<number>, from: number, to: number): number[] | null {
  const digits: number[] = [];
  let [bits, held] = [0, 0];
  for (const value of values) {
    bits = ((bits << from) | value) & 0xffff;
    held += from;
    for (; held >= to; held -= to) digits.push((bits >> (held - to)) & ((1 << to) - 1));
  }
  const remaining = bits & ((1 << held) - 1);
  if (to < from) {
    if (held > 0) digits.push(remaining << (to - held));
  } else if (held >= from || remaining !== 0) return null;
  return digits;
}

const digitsOf = (text: string, alphabet: string): number[] =>
  Array.from(text, (character) => alphabet.indexOf(character));
const textOf = (digits: readonly number[], alphabet: string): string =>
  digits.map((digit) => alphabet.charAt(digit)).join('');

/** Reads base32 of RFC 4648 in capitals, without padding. */
export function decodeBase32(text: string): Buffer | null {
  const bytes = regroupBits(digitsOf(text, BASE32), 5, 8);
  return bytes === null ? null : Buffer.from(bytes);
}

export const encodeBase32 = (bytes: Buffer): string => textOf(regroupBits(bytes, 8, 5) ?? [], BASE32);

const codesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** CRC16-XMODEM, of TON and Stellar. */
export function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const BECH32_CHECKSUM = 6;
const BECH32M = 0x2bc830a3;

function bech32Sum(prefix: string, digits: readonly number[]): number {
  const codes = codesOf(prefix);
  let sum = 1;
  for (const value of [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...digits]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    BECH32_GENERATOR.forEach((term, i) => {
      if ((top >> i) & 1) sum ^= term;
    });
  }
  return sum;
}

/** Returns the digits of a text of bech32 or bech32m in small letters; null if its checksum is wrong. */
export function decodeBech32(prefix: string, rest: string): number[] | null {
  const digits = digitsOf(rest, BECH32);
  const sum = digits.includes(-1) ? 0 : bech32Sum(prefix, digits);
  return sum === 1 || sum === BECH32M ? digits.slice(0, -BECH32_CHECKSUM) : null;
}

export function encodeBech32(prefix: string, bytes: Buffer, constant = 1): string {
  const digits = regroupBits(bytes, 8, 5) ?? [];
  const sum = bech32Sum(prefix, [...digits, ...Array<number>(BECH32_CHECKSUM).fill(0)]) ^ constant;
  const checksum = Array.from({ length: BECH32_CHECKSUM }, (_, i) => (sum >> (5 * (5 - i))) & 31);
  return `${prefix}1${textOf([...digits, ...checksum], BECH32)}`;
}

const CASH_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
const CASH_CHECKSUM = 8;

function cashSum(prefix: string, digits: readonly number[]): bigint {
  let sum = 1n;
  for (const value of [...codesOf(prefix).map((code) => code & 31), 0, ...digits]) {
    const top = sum >> 35n;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value);
    CASH_GENERATOR.forEach((term, i) => {
      if ((top >> BigInt(i)) & 1n) sum ^= term;
    });
  }
  return sum ^ 1n;
}

/** Returns the version byte and the hash of a CashAddr address in small letters; null if its checksum is wrong. */
export function decodeCashAddress(prefix: string, rest: string): Buffer | null {
  const digits = digitsOf(rest, BECH32);
  if (digits.includes(-1) || cashSum(prefix, digits) !== 0n) return null;
  const bytes = regroupBits(digits.slice(0, -CASH_CHECKSUM), 5, 8);
  return bytes === null ? null : Buffer.from(bytes);
}

export function encodeCashAddress(prefix: string, content: Buffer): string {
  const digits = regroupBits(content, 8, 5) ?? [];
  const sum = cashSum(prefix, [...digits, ...Array<number>(CASH_CHECKSUM).fill(0)]);
  const checksum = Array.from({ length: CASH_CHECKSUM }, (_, i) =>
    Number((sum >> BigInt(5 * (CASH_CHECKSUM - 1 - i))) & 31n),
  );
  return textOf([...digits, ...checksum], BECH32);
}
