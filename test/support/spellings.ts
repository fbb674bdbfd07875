import fc from 'fast-check';
import { alpha3Countries } from '../../src/platform/kernel/reference/countries.js';
import { madeUpCnpj, madeUpCpf } from '../../src/platform/kernel/values/made-up-tax-ids.js';
import type { ValueKind } from '../../src/platform/kernel/values/canonical/canonical-value.js';

/** A value in its canonical form, and one of the ways in which people and programs write it. */
export interface Spelt {
  readonly value: string;
  readonly spelling: string;
}

const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const word = (letters: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength });

/** The parts of a value, and the ways to write them, the canonical one first. */
const written = <T>(
  parts: fc.Arbitrary<T>,
  ways: (parts: T) => readonly [string, ...string[]],
): fc.Arbitrary<Spelt> =>
  parts.chain((given) => {
    const spellings = ways(given);
    return fc.constantFrom(...spellings).map((spelling) => ({ value: spellings[0], spelling }));
  });

/** With each letter in any case. */
const anyCase = (of: fc.Arbitrary<Spelt>): fc.Arbitrary<Spelt> =>
  fc
    .tuple(of, fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }))
    .map(([{ value, spelling }, capitals]) => ({
      value,
      spelling: [...spelling]
        .map((c, i) => (capitals[i % capitals.length] === true ? c.toUpperCase() : c))
        .join(''),
    }));

const cut = (text: string, ...at: number[]): string[] =>
  [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));

const cpf = written(word(DIGITS, 9), (nine) => {
  const whole = madeUpCpf(nine === '0'.repeat(9) ? '000000001' : nine);
  const [a = '', b = '', c = '', d = ''] = cut(whole, 3, 6, 9);
  return [whole, `${a}.${b}.${c}-${d}`, `${a} ${b} ${c} ${d}`, `${a}.${b}.${c}\u2011${d}`];
}).filter(({ value }) => !/^(\d)\1+$/.test(value));
const cnpj = anyCase(
  written(word(`${DIGITS}ABCXYZ`, 12), (twelve) => {
    const whole = madeUpCnpj(twelve);
    const [a = '', b = '', c = '', d = '', e = ''] = cut(whole, 2, 5, 8, 12);
    return [whole, `${a}.${b}.${c}/${d}-${e}`, `${a}${b}${c}/${d}-${e}`, `${a}.${b}.${c}/${d}\u2013${e}`];
  }),
).filter(({ value }) => !/^0+$/.test(value));

const uuid = anyCase(
  written(word(HEX, 32), (hex) => {
    const hyphened = cut(hex, 8, 12, 16, 20).join('-');
    return [hyphened, hex, `{${hyphened}}`, hyphened.replaceAll('-', '\u2010')];
  }),
);
const deviceUuid = uuid.filter(({ spelling }) => !spelling.includes('\u2010'));

const email = anyCase(
  written(
    fc.tuple(
      word(`${LETTERS}${DIGITS}.+_-áçãõé`, 1, 20),
      word(LETTERS, 1, 12),
      fc.constantFrom('com', 'com.br'),
    ),
    ([local, host, top]) => [
      `${local}@${host}.${top}`.normalize('NFC'),
      `${local}@${host}.${top}`.normalize('NFD'),
    ],
  ),
);

const areas = ['11', '21', '31', '41', '51', '61', '71', '81', '92', '99'];
const phoneParts = fc.tuple(fc.constantFrom(...areas), word(DIGITS, 4), word(DIGITS, 4));
const phone = written(phoneParts, ([area, a, b]) => [
  `+55${area}9${a}${b}`,
  `+55 (${area}) 9${a}-${b}`,
  `(${area}) 9${a}-${b}`,
  `0${area} 9${a} ${b}`,
  `+55 0${area} 9${a}-${b}`,
  `0055 ${area} 9${a}-${b}`,
  `55${area}9${a}${b}`,
  `+55.${area}.9${a}.${b}`,
  `tel:+55-${area}-9${a}-${b}`,
]);

const octet = fc.nat(255);
const ipv4 = fc.tuple(octet, octet, octet, octet).map((parts) => parts.join('.'));
/** Eight groups as RFC 5952 writes them, by the letter of its section 4. */
function rfc5952(groups: readonly number[]): string {
  let best = { at: -1, length: 1 };
  for (let at = 0; at < 8; at += 1) {
    let length = 0;
    while (groups[at + length] === 0) length += 1;
    if (length > best.length) best = { at, length };
  }
  const hex = groups.map((group) => group.toString(16));
  return best.at === -1
    ? hex.join(':')
    : `${hex.slice(0, best.at).join(':')}::${hex.slice(best.at + best.length).join(':')}`;
}
const group = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(0xffff) });
const ipv6 = anyCase(
  written(
    fc.array(group, { minLength: 7, maxLength: 7 }).map((rest) => [0x2001, ...rest]),
    (groups) => {
      const full = groups.map((one) => one.toString(16).padStart(4, '0')).join(':');
      const [high = 0, low = 0] = groups.slice(6);
      const quad = [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
      const short = rfc5952(groups);
      return [
        short,
        full,
        `[${short}]`,
        `[${full}]:443`,
        `${groups
          .slice(0, 6)
          .map((one) => one.toString(16))
          .join(':')}:${quad}`,
      ];
    },
  ),
);
const mapped = anyCase(
  written(ipv4, (address) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const hex = [a * 256 + b, c * 256 + d].map((one) => one.toString(16)).join(':');
    return [
      address,
      `::ffff:${address}`,
      `::ffff:${hex}`,
      `0:0:0:0:0:ffff:${hex}`,
      `${address}:51234`,
      `[::ffff:${hex}]:80`,
    ];
  }),
);
const address = fc.oneof(ipv6, mapped);

const network = fc.oneof(
  address,
  written(fc.tuple(octet, octet, octet, octet, fc.constantFrom(8, 16, 24)), ([a, b, c, d, bits]) => {
    const masked = [a, ...[b, c].map((part, i) => (bits >= 16 + 8 * i ? part : 0)), 0].join('.');
    return [`${masked}/${bits}`, `${a}.${b}.${c}.${d}/${bits}`, `::ffff:${a}.${b}.${c}.${d}/${bits + 96}`];
  }),
);

function withCheckDigits(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((c) => Number.parseInt(c, 36).toString()).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}
const iban = anyCase(
  written(
    fc.tuple(fc.constantFrom('DE', 'BR', 'GB', 'FR'), word(`${DIGITS}ABCXYZ`, 15, 24)),
    ([country, account]) => {
      const whole = withCheckDigits(country, account);
      return [whole, whole.replace(/(.{4})(?=.)/g, '$1 '), whole.replace(/(.{4})(?=.)/g, '$1\u00a0')];
    },
  ),
);
const branchAccount = written(
  fc.tuple(word(DIGITS, 4), fc.integer({ min: 1_000, max: 99_999_999 }), fc.constantFrom(...DIGITS, 'X')),
  ([branch, number, check]) => [
    `${branch}/${number}${check}`,
    `${branch}/${number}-${check}`,
    `${branch} / ${number}-${check.toLowerCase()}`,
    `${branch}/${String(number).replace(/\B(?=(\d{3})+$)/g, '.')}-${check}`,
    `${branch}/${number}\u2013${check}`,
  ],
);
/** References of the institution's own are not touched. */
const reference = word(`${LETTERS}ABCXYZ${DIGITS}-_`, 3, 20).map((text) => ({
  value: `r-${text}-7`,
  spelling: `r-${text}-7`,
}));

const evm = anyCase(written(word(HEX, 40), (hex) => [`0x${hex}`, hex])).filter(
  ({ value }) => !/^0x0+$/.test(value),
);
const bech32 = written(
  fc.tuple(fc.constantFrom('bc', 'tb', 'ltc'), word(BECH32, 38, 58)),
  ([prefix, rest]) => [`${prefix}1${rest}`, `${prefix}1${rest}`.toUpperCase()],
);
const base58 = word(BASE58, 33).map((rest) => ({ value: `1${rest}`, spelling: `1${rest}` }));

const names = { en: 'en', pt: 'pt-BR' } as const;
const displayed = Object.values(names).map((one) => new Intl.DisplayNames([one], { type: 'region' }));
const country = anyCase(
  written(fc.constantFrom(...alpha3Countries), ([alpha3, alpha2]) => [
    alpha2,
    alpha3,
    ...displayed.map((language) => language.of(alpha2) ?? alpha2),
    ...displayed.map((language) => (language.of(alpha2) ?? alpha2).normalize('NFD')),
  ]),
);

const hardware = written(fc.array(octet, { minLength: 6, maxLength: 6 }), (bytes) => {
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  return [hex.join(':'), hex.join('-'), hex.join(':').toUpperCase()];
}).filter(({ value }) => !['02:00:00:00:00:00', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'].includes(value));

const identifier = anyCase(
  written(fc.tuple(word('ABCXYZ', 1, 2), word(DIGITS, 3), word(DIGITS, 4)), ([letters, a, b]) => [
    `${letters}${a}${b}`,
    `${letters}-${a}.${b}`,
    `${letters} ${a} ${b}`,
  ]),
);

/** With something around it that nobody sees. */
const inRoom = (of: fc.Arbitrary<Spelt>): fc.Arbitrary<Spelt> => {
  const room = fc.constantFrom('', ' ', '\t', '\u00a0', '\u200b', '\ufeff');
  return fc
    .tuple(of, room, room)
    .map(([{ value, spelling }, before, after]) => ({ value, spelling: `${before}${spelling}${after}` }));
};

/** Values of each kind in all their spellings. Documents and keys of PIX are valid, and nobody's. */
export const spellings: Readonly<Record<ValueKind, fc.Arbitrary<Spelt>>> = {
  DOCUMENT: inRoom(fc.oneof(cpf, cnpj)),
  ACCOUNT: inRoom(fc.oneof(branchAccount, iban, reference)),
  IBAN: inRoom(iban),
  PIX_KEY: inRoom(
    fc.oneof(
      ...[email, uuid, cpf, cnpj],
      // Eleven digits may be somebody's CPF too.
      phone.filter(({ spelling }) => !/^\d+$/.test(spelling)),
    ),
  ),
  WALLET: inRoom(fc.oneof(evm, bech32, base58)),
  DEVICE: inRoom(fc.oneof(deviceUuid, hardware, reference)),
  IP: inRoom(address),
  NETWORK: inRoom(network),
  COUNTRY: inRoom(country),
  PHONE: inRoom(phone),
  EMAIL: inRoom(email),
  IDENTIFIER: inRoom(identifier),
};
