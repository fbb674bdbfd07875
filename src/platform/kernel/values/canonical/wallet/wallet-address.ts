import { createHash } from 'node:crypto';
import { remainderOf97 } from '../check-digits.js';
import { asciiText } from '../plain-text.js';
import {
  crc16,
  decodeBase32,
  decodeBase58,
  decodeBase58Check,
  decodeBech32,
  decodeCashAddress,
  encodeBase32,
  encodeBase58Check,
  encodeBech32,
  regroupBits,
  XRP_BASE58,
} from './codes.js';

type Reader = (text: string) => string | null;

const EVM = /^(?:0x|xdc)?([0-9a-f]{40})$/i;
const ICAP = /^XE\d{2}[0-9A-Z]{30,31}$/i;
const TRON_HEX = /^(?:0x)?(41[0-9a-f]{40})$/i;
const CARDANO_HEX = /^(?:[0-3][01][0-9a-f]{112}|[67ef][01][0-9a-f]{56})$/i;
const HEXADECIMAL = /^(?:0x([0-9a-f]{41,64})|([0-9a-f]{64}))$/i;
const SHORT_HEXADECIMAL = /^0x([0-9a-f]{1,39})$/i;
const HEX_DIGITS = 64;
const EVM_DIGITS = 40;

/** EVM addresses, with a checksum by case (EIP-55), of XinFin, and as ICAP; other hexadecimal addresses and keys. */
function readHexadecimal(text: string): string | null {
  const evm = EVM.exec(text)?.[1];
  if (evm !== undefined) return `0x${evm.toLowerCase()}`;
  if (ICAP.test(text)) return readIcap(text.toUpperCase());
  const tron = TRON_HEX.exec(text)?.[1];
  if (tron !== undefined) return encodeBase58Check(Buffer.from(tron, 'hex'));
  if (CARDANO_HEX.test(text)) {
    const bytes = Buffer.from(text, 'hex');
    const [header = 0] = bytes;
    return encodeBech32(`${header < 0xe0 ? 'addr' : 'stake'}${header & 1 ? '' : '_test'}`, bytes);
  }
  const [, prefixed, bare] = HEXADECIMAL.exec(text) ?? [];
  const digits = prefixed ?? bare;
  return digits === undefined ? null : padHexadecimal(digits);
}

/** Sui, Aptos and Starknet leave out zeros on the left. */
const padHexadecimal = (digits: string): string => `0x${digits.toLowerCase().padStart(HEX_DIGITS, '0')}`;

function readIcap(text: string): string | null {
  if (remainderOf97(`${text.slice(4)}${text.slice(0, 4)}`) !== 1) return null;
  let value = 0n;
  for (const character of text.slice(4)) value = value * 36n + BigInt(Number.parseInt(character, 36));
  const digits = value.toString(16);
  return digits.length > EVM_DIGITS ? null : `0x${digits.padStart(EVM_DIGITS, '0')}`;
}

const BECH32 = /^([a-z0-9_-]{1,83})1([02-9ac-hj-np-z]{6,})$/;
/** Prefixes whose case never has a meaning, also where the checksum is wrong. */
const BECH32_PREFIX =
  /^(?:bc|tb|bcrt|ltc|tltc|addr|addr_test|stake|cosmos|osmo|inj|celestia|terra|kava|akash)$/;
/** Chains that show an address of an EVM as bech32 too. */
const EVM_PREFIX = /^(?:one|io|inj|evmos|ex|zil|crc|canto|dym)$/;
/** ZIP-320: a transparent address of Zcash that takes only transparent money. */
const ZCASH_TEX = 'tex';
const ZCASH_VERSION = Buffer.from([0x1c, 0xb8]);
const KEY_HASH_BYTES = 20;

function readBech32(written: string): string | null {
  const text = written.toLowerCase();
  const [, prefix, rest] = BECH32.exec(text) ?? [];
  if (prefix === undefined || rest === undefined) return null;
  const digits = decodeBech32(prefix, rest);
  if (digits === null) return BECH32_PREFIX.test(prefix) ? text : null;
  const bytes = Buffer.from(regroupBits(digits, 5, 8) ?? []);
  if (bytes.length !== KEY_HASH_BYTES) return text;
  if (EVM_PREFIX.test(prefix)) return `0x${bytes.toString('hex')}`;
  return prefix === ZCASH_TEX ? encodeBase58Check(Buffer.concat([ZCASH_VERSION, bytes])) : text;
}

const CASH_ADDRESS = /^(?:([a-z]+):)?([qpzr][02-9ac-hj-np-z]{41})$/;
const CASH_PREFIXES = ['bitcoincash', 'ecash', 'simpleledger', 'etoken'];
const P2PKH = Buffer.from([0]);
const P2SH = Buffer.from([5]);

/** Reads a CashAddr with or without its prefix, also the form for tokens, and returns the older form of the address. */
function readCashAddress(written: string): string | null {
  const [, given, rest] = CASH_ADDRESS.exec(written.toLowerCase()) ?? [];
  if (rest === undefined) return null;
  for (const prefix of CASH_PREFIXES) {
    const [version = 0, ...hash] = decodeCashAddress(prefix, rest) ?? [];
    if (hash.length === KEY_HASH_BYTES) {
      return encodeBase58Check(Buffer.concat([(version >> 3) % 2 === 0 ? P2PKH : P2SH, Buffer.from(hash)]));
    }
  }
  return given === undefined ? rest : null;
}

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,110}$/;
/** Litecoin has two versions of an address that is a script: 3... and M.... */
const LITECOIN_P2SH = 0x32;
const XRP_ACCOUNT_BYTES = 21;
const XRP_X_BYTES = 31;
const SS58_CHECKSUM = 2;
const PUBLIC_KEY_BYTES = 32;

function readBase58(text: string): string | null {
  if (!BASE58.test(text)) return null;
  const content = decodeBase58Check(text);
  if (content !== null) {
    const isScript = content[0] === LITECOIN_P2SH && content.length === KEY_HASH_BYTES + 1;
    return isScript ? encodeBase58Check(Buffer.concat([P2SH, content.subarray(1)])) : text;
  }
  const xrp = decodeBase58Check(text, XRP_BASE58);
  if (xrp?.length === XRP_ACCOUNT_BYTES) return text;
  // An X-address holds the account, a flag, and the tag of the payment.
  if (xrp?.length === XRP_X_BYTES) {
    return encodeBase58Check(Buffer.concat([P2PKH, xrp.subarray(2, XRP_ACCOUNT_BYTES + 1)]), XRP_BASE58);
  }
  const bytes = decodeBase58(text);
  return bytes?.length === PUBLIC_KEY_BYTES ? text : readSubstrate(bytes);
}

/** Reads SS58: each chain of Polkadot writes one public key with a prefix of its own. */
function readSubstrate(bytes: Buffer | null): string | null {
  const prefix = (bytes?.length ?? 0) - PUBLIC_KEY_BYTES - SS58_CHECKSUM;
  if (bytes === null || (prefix !== 1 && prefix !== 2)) return null;
  const content = bytes.subarray(0, -SS58_CHECKSUM);
  const sum = createHash('blake2b512').update('SS58PRE').update(content).digest();
  return sum.subarray(0, SS58_CHECKSUM).equals(bytes.subarray(-SS58_CHECKSUM))
    ? `0x${content.subarray(prefix).toString('hex')}`
    : null;
}

const TON_RAW = /^(?:0|-1):[0-9a-f]{64}$/i;
const TON = /^[\w+/-]{48}$/;
/** The tags of bounceable and other addresses; the bit of a test network is left out. */
const TON_TAGS = new Set([0x11, 0x51]);

/** Reads each form of an address of TON as its raw form, `0:` and 64 digits. */
function readTon(text: string): string | null {
  if (TON_RAW.test(text)) return text.toLowerCase();
  if (!TON.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (!TON_TAGS.has((bytes[0] ?? 0) & 0x7f) || crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
    return null;
  }
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex')}`;
}

const STELLAR = /^[A-Z2-7]{56}(?:[A-Z2-7]{13})?$/;
const STELLAR_ACCOUNT = 6 << 3;
const STELLAR_MUXED = 12 << 3;
const ALGORAND = /^[A-Z2-7]{58}$/;

/**
 * Reads addresses of Stellar and of Algorand. A muxed address of Stellar (M...) is an account and an id of the payment.
 */
function readBase32(written: string): string | null {
  const text = written.toUpperCase();
  if (ALGORAND.test(text)) {
    const bytes = decodeBase32(text);
    if (!bytes) return null;
    const key = bytes.subarray(0, PUBLIC_KEY_BYTES);
    const sum = createHash('sha512-256').update(key).digest().subarray(-4);
    return bytes.subarray(PUBLIC_KEY_BYTES).equals(sum) ? text : null;
  }
  const bytes = STELLAR.test(text) ? decodeBase32(text) : null;
  if (bytes === null || crc16(bytes.subarray(0, -2)) !== bytes.readUInt16LE(bytes.length - 2)) return null;
  if (bytes[0] !== STELLAR_MUXED) return text;
  const account = Buffer.from([STELLAR_ACCOUNT, ...bytes.subarray(1, PUBLIC_KEY_BYTES + 1)]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(account));
  return encodeBase32(Buffer.concat([account, sum]));
}

const NANO = /^(?:nano|xrb)_([13][13-9a-km-uw-z]{59})$/;
const KASPA = /^kaspa:?([02-9ac-hj-np-z]{61,63})$/;
const FILECOIN = /^f(?:[12][a-z2-7]{39}|3[a-z2-7]{84})$/;
const HEDERA = /^(0\.0\.\d+)(?:-[a-z]{5})?$/;
/** Names of wallets, in which case has no meaning (ENS and others). */
const NAME =
  /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.(?:eth|near|sol|ton|bnb|arb|crypto|nft|wallet|dao|lens)$/u;

function readOther(written: string): string | null {
  const text = written.toLowerCase();
  const nano = NANO.exec(text)?.[1];
  if (nano !== undefined) return `nano_${nano}`;
  const kaspa = KASPA.exec(text)?.[1];
  if (kaspa !== undefined) return `kaspa:${kaspa}`;
  return HEDERA.exec(text)?.[1] ?? (FILECOIN.test(text) || NAME.test(text) ? text : null);
}

const readers: readonly Reader[] = [
  readHexadecimal,
  readBech32,
  readCashAddress,
  readTon,
  readBase32,
  readBase58,
  readOther,
];

const MIN_LENGTH = 5;
const MAX_LENGTH = 512;

function readBare(text: string): string | null {
  if (text.length < MIN_LENGTH) return null;
  for (const reader of readers) {
    const address = reader(text);
    if (address !== null) return address;
  }
  return null;
}

/** The characters that links and lists put around an address: scheme, chain, tag, amount, page of an explorer. */
const AROUND = /[:?@/#\s]/;
/** The number of a chain (EIP-681). */
const CHAIN = /@(?:0x)?[0-9a-f]+$/i;
/** Members of a link that hold the payee; what stands before them is then a token or a page. */
const PAYEE = /[?&](?:destination|address|recipient|to|a)=([^&#]+)/gi;

function* addressCandidates(text: string): Generator<string> {
  for (const [, payee = ''] of text.matchAll(PAYEE)) yield payee;
  for (const piece of (text.split('?')[0] ?? '').split(/[/#\s]+/)) {
    const parts = piece
      .replace(CHAIN, '')
      .replace(/(?<=^|:)pay-/i, '')
      .split(':');
    for (let i = 0; i < parts.length; i += 1) yield parts.slice(i).join(':');
    yield* parts;
  }
}

/**
 * Returns the canonical form of an address that is recognised by its form, and by its checksum where it has one; null
 * for any other text. The tag, the memo and the amount of a payment are left out: they do not say whose wallet it is.
 */
export function recognisedWallet(written: string): string | null {
  if (written.length > MAX_LENGTH) return null;
  const text = asciiText(written);
  const wholeWallet = readBare(text.replaceAll(' ', ''));
  if (wholeWallet !== null || !AROUND.test(text)) return wholeWallet;
  for (const part of addressCandidates(text)) {
    const address = readBare(part);
    if (address !== null) return address;
  }
  return null;
}

const SCHEME =
  /^(?:(?:web\+)?(?:bitcoin|bitcoincash|litecoin|dogecoin|dash|zcash|monero|ethereum|cardano|solana|tron|tezos)):(?:\/\/)?([^?]+)/i;

/**
 * Returns the canonical form of a wallet address: one form for each way in which its chain writes it. An address that
 * is not recognised stays as it is, without the scheme and the amount of a link.
 */
export function canonicalWalletAddress(text: string): string {
  const address = recognisedWallet(text);
  if (address !== null) return address;
  const short = SHORT_HEXADECIMAL.exec(text)?.[1];
  if (short !== undefined) return padHexadecimal(short);
  const rest = SCHEME.exec(text)?.[1];
  return rest === undefined ? text : canonicalWalletAddress(rest);
}
