import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { alpha3Countries } from '../../src/platform/kernel/reference/countries.js';
import { madeUpCnpj, madeUpCpf } from '../../src/platform/kernel/values/made-up-tax-ids.js';
import type { ValueKind } from '../../src/platform/kernel/values/canonical/canonical-value.js';
import {
  crc16,
  encodeBase32,
  encodeBase58,
  encodeBase58Check,
  encodeBech32,
  encodeCashAddress,
  XRP_BASE58,
} from '../../src/platform/kernel/values/canonical/wallet/codes.js';

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
  return [
    ...([whole, `${a}.${b}.${c}-${d}`, `${a} ${b} ${c} ${d}`, `${a}.${b}.${c}\u2011${d}`] as const),
    `CPF: ${a}.${b}.${c}-${d}`,
  ];
}).filter(({ value }) => !/^(\d)\1+$/.test(value));
const cnpj = anyCase(
  written(word(`${DIGITS}ABCXYZ`, 12), (twelve) => {
    const whole = madeUpCnpj(twelve);
    const [a = '', b = '', c = '', d = '', e = ''] = cut(whole, 2, 5, 8, 12);
    return [
      ...([whole, `${a}.${b}.${c}/${d}-${e}`, `${a}${b}${c}/${d}-${e}`] as const),
      ...[`${a}.${b}.${c}/${d}\u2013${e}`, `CNPJ ${whole}`],
    ];
  }),
).filter(({ value }) => !/^0+$/.test(value));

const uuid = anyCase(
  written(word(HEX, 32), (hex) => {
    const hyphened = cut(hex, 8, 12, 16, 20).join('-');
    return [hyphened, hex, `{${hyphened}}`, `urn:uuid:${hyphened}`, hyphened.replaceAll('-', '\u2010')];
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
      `mailto:${local}@${host}.${top}?subject=x`,
      `mailto:${encodeURIComponent(`${local}@${host}.${top}`)}`,
      `Ana Exemplo <${local}@${host}.${top}>`,
      `"${local}"@${host}.${top}`,
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
  `tel:9${a}-${b};phone-context=+55-${area}`,
  `sms:+55${area}9${a}${b}?body=x`,
  `https://wa.me/55${area}9${a}${b}`,
  `(0xx${area}) 9${a}-${b}`,
  `0 15 ${area} 9${a}-${b}`,
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
      const [spaced, hyphened] = [' ', '-'].map((room) => whole.replace(/(.{4})(?=.)/g, `$1${room}`));
      return [
        ...([whole, `${spaced}`, `${hyphened}`, whole.replace(/(.{4})(?=.)/g, '$1\u00a0')] as const),
        ...[`IBAN ${spaced}`, `IBAN: ${whole}`, `IBAN${whole}`],
        ...[`payto://iban/${whole}?amount=EUR:1`, `payto://iban/EXEMDEFF/${whole}`],
      ];
    },
  ),
);
const branchAccount = anyCase(
  written(
    fc.tuple(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 1_000, max: 99_999_999 }),
      fc.constantFrom(...DIGITS, 'X'),
      fc.constantFrom(...DIGITS, 'X'),
    ),
    ([place, number, check, branchCheck]) => {
      const branch = String(place).padStart(4, '0');
      const account = `${number}-${check}`;
      const dotted = `${String(number).replace(/\B(?=(\d{3})+$)/g, '.')}-${check}`;
      return [
        `${branch}/${number}${check}`,
        `${branch}/${account}`,
        `${branch} / ${account}`,
        `${place}/${account}`,
        `${branch}/${dotted}`,
        `${branch}/${number}\u2013${check}`,
        `${branch}/0000${account}`,
        `${branch}-${branchCheck}/${account}`,
        `${branch}-${account}`,
        ...(number < 10_000 ? [] : [`${branch} ${account}`]),
        `Ag. ${branch} C/C ${account}`,
        `Agência: ${branch} Conta corrente: ${dotted}`,
        `ag ${place}, conta ${account}`,
      ];
    },
  ),
);
/** References of the institution's own are not touched. */
const reference = word(`${LETTERS}ABCXYZ${DIGITS}-_`, 3, 20).map((text) => ({
  value: `r_${text}-7`,
  spelling: `r_${text}-7`,
}));

const bytes = (length: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((some) => Buffer.from(some));
/** With what links, account ids and explorers put around an address. */
const linked =
  (...[before, after]: readonly [readonly string[], readonly string[]]) =>
  (ways: readonly [string, ...string[]]): [string, ...string[]] => [
    ways[0],
    ...ways.flatMap((way) => [
      ...[way, ...before.map((head) => `${head}${way}`), ...after.map((tail) => `${way}${tail}`)],
      ...before.flatMap((head) => after.map((tail) => `${head}${way}${tail}`)),
    ]),
  ];

const evmLinks = linked(
  [
    'ethereum:',
    'ethereum:pay-',
    'eip155:1:',
    'did:pkh:eip155:137:',
    'arb1:',
    'https://etherscan.io/address/',
  ],
  ['@1', '?value=2.014e18', '@0x38?value=1'],
);
const evm = written(bytes(20), (key) => {
  const hex = key.toString('hex');
  const token = '0xdac17f958d2ee523a2206206994597c13d831ec7';
  const spelt = [hex, hex.toUpperCase(), `0X${hex.toUpperCase()}`, `xdc${hex}`, encodeBech32('one', key)];
  return [
    ...evmLinks([`0x${hex}`, `0x${hex.toUpperCase()}`]),
    ...spelt,
    `ethereum:${token}@1/transfer?address=0x${hex}&uint256=1`,
    `https://etherscan.io/token/${token}?a=0x${hex}`,
  ];
}).filter(({ value }) => !/^0x0+$/.test(value));
const bitcoinLinks = linked(
  ['bitcoin:', 'BITCOIN:', 'bip122:000000000019d6689c085ae165831e93:', 'https://mempool.space/address/'],
  ['?amount=0.5&label=x'],
);
const bech32 = written(
  fc.tuple(fc.constantFrom('bc', 'tb', 'ltc', 'erd', 'noble'), bytes(32)),
  ([prefix, key]) => {
    const text = encodeBech32(prefix, key);
    return bitcoinLinks([text, text.toUpperCase()]);
  },
);
const damagedBech32 = written(
  fc.tuple(fc.constantFrom('bc', 'tb', 'ltc'), word(BECH32, 38, 58)),
  ([prefix, rest]) => [`${prefix}1${rest}`, `${prefix}1${rest}`.toUpperCase()],
);
const base58 = written(bytes(20), (key) => {
  const content = Buffer.from([0, ...key]);
  const cash = encodeCashAddress('bitcoincash', content);
  return [
    ...bitcoinLinks([encodeBase58Check(content)]),
    ...[cash, cash.toUpperCase(), `bitcoincash:${cash}`, `bitcoincash:${cash}?amount=1`],
    encodeCashAddress('bitcoincash', Buffer.from([16, ...key])),
  ];
});
const script = written(bytes(20), (key) => [
  encodeBase58Check(Buffer.from([5, ...key])),
  encodeBase58Check(Buffer.from([0x32, ...key])),
  encodeCashAddress('bitcoincash', Buffer.from([8, ...key])),
]);
const damagedBase58 = word(BASE58, 33).map((rest) => ({ value: `1${rest}`, spelling: `1${rest}` }));
const xrp = written(fc.tuple(bytes(20), bytes(9)), ([key, flagAndTag]) => {
  const classic = encodeBase58Check(Buffer.from([0, ...key]), XRP_BASE58);
  return [
    classic,
    ...['?dt=123', ':123', '?dt=1&amount=2'].map((tag) => `${classic}${tag}`),
    ...['ripple:', 'xrpl:0:', 'https://xrpscan.com/account/'].map((head) => `${head}${classic}`),
    encodeBase58Check(Buffer.from([0x05, 0x44, ...key, ...flagAndTag]), XRP_BASE58),
  ];
});
const ton = written(fc.tuple(bytes(32), fc.constantFrom(0, -1)), ([key, chain]) => {
  const raw = `${chain}:${key.toString('hex')}`;
  const friendly = [0x11, 0x51].map((tag) => {
    const content = Buffer.from([tag, chain & 0xff, ...key]);
    const sum = crc16(content);
    return Buffer.from([...content, sum >> 8, sum & 0xff]);
  });
  const url = friendly.map((one) => one.toString('base64url'));
  return [
    ...([raw, raw.toUpperCase(), `tvm:-239:${raw}`] as const),
    ...friendly.map((one) => one.toString('base64')),
    ...url.flatMap((one) => [one, `ton://transfer/${one}?amount=1`, `https://tonviewer.com/${one}`]),
  ];
}).filter(({ value }) => !/^-?[01]:0+$/.test(value));
const strkey = (version: number, content: Buffer): string => {
  const whole = Buffer.from([version << 3, ...content]);
  const sum = crc16(whole);
  return encodeBase32(Buffer.from([...whole, sum & 0xff, sum >> 8]));
};
const stellar = written(fc.tuple(bytes(32), bytes(8)), ([key, id]) => {
  const account = strkey(6, key);
  const muxed = strkey(12, Buffer.concat([key, id]));
  return [
    ...([account, account.toLowerCase(), muxed, muxed.toLowerCase(), `stellar:pubnet:${account}`] as const),
    `web+stellar:pay?destination=${account}&amount=1&memo=7`,
    `https://stellar.expert/explorer/public/account/${account}`,
  ];
});
const tron = written(bytes(20), (key) => {
  const content = Buffer.from([0x41, ...key]);
  const text = encodeBase58Check(content);
  return [
    ...([text, content.toString('hex'), content.toString('hex').toUpperCase()] as const),
    ...[`tron:${text}?amount=1`, `tron:0x2b6653dc:${text}`, `https://tronscan.org/#/address/${text}`],
  ];
});
const solana = written(bytes(32), (key) => {
  const text = encodeBase58(key);
  return [
    ...([text, `solana:${text}?amount=1&spl-token=x`] as const),
    ...[`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${text}`, `https://solscan.io/account/${text}`],
  ];
});
const cardano = written(fc.tuple(bytes(56), fc.constantFrom(0x01, 0x61, 0xe1)), ([keys, header]) => {
  const content = Buffer.from([header, ...keys.subarray(0, header === 0x01 ? 56 : 28)]);
  const text = encodeBech32(header === 0xe1 ? 'stake' : 'addr', content);
  return [
    ...([text, text.toUpperCase(), content.toString('hex')] as const),
    ...[
      `web+cardano:${text}?amount=1`,
      `cip34:1-764824073:${text}`,
      `https://cardanoscan.io/address/${text}`,
    ],
  ];
});
const substrate = written(fc.tuple(bytes(32), fc.constantFrom(0, 2, 42)), ([key, chain]) => {
  const content = Buffer.from([chain, ...key]);
  const sum = createHash('blake2b512').update('SS58PRE').update(content).digest();
  const text = encodeBase58(Buffer.concat([content, sum.subarray(0, 2)]));
  return [
    ...([`0x${key.toString('hex')}`, key.toString('hex'), text] as const),
    ...[`polkadot:91b171bb158e2d3848fa23a9f1c25182:${text}`, `substrate:${text}:0x00:Ana`],
  ];
});
const algorand = written(bytes(32), (key) => {
  const sum = createHash('sha512-256').update(key).digest().subarray(-4);
  const text = encodeBase32(Buffer.concat([key, sum]));
  return [text, text.toLowerCase(), `algorand://${text}?amount=1`];
});

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
  const dotted = cut(hex.join(''), 4, 8).join('.');
  return [
    ...([hex.join(':'), hex.join('-'), hex.join(' '), hex.join(''), dotted] as const),
    ...[hex.join(':').toUpperCase(), `MAC: ${hex.join(':')}`],
  ];
}).filter(({ value }) => !['02:00:00:00:00:00', '00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'].includes(value));

const imei = written(fc.tuple(word(DIGITS, 8), word(DIGITS, 6), word(DIGITS, 1)), ([type, serial, check]) => [
  `${type}${serial}${check}`,
  `${cut(type, 2).join('-')}-${serial}-${check}`,
  `${cut(type, 2).join(' ')} ${serial} ${check}`,
  `IMEI: ${type}${serial}${check}`,
  `urn:gsma:imei:${type}-${serial}-${check}`,
]).filter(({ value }) => !/^0+$/.test(value));

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
  ACCOUNT: inRoom(fc.oneof(branchAccount, iban, evm, tron, reference)),
  IBAN: inRoom(iban),
  PIX_KEY: inRoom(
    fc.oneof(
      ...[email, uuid, cpf, cnpj],
      // Eleven digits may be somebody's CPF too, and fourteen a company's CNPJ.
      phone.filter(({ spelling }) => !/^(?:\d{11}|\d{14})$/.test(spelling.replace(/[.\-/ ]/g, ''))),
    ),
  ),
  WALLET: inRoom(
    fc.oneof(
      ...[
        evm,
        bech32,
        damagedBech32,
        base58,
        script,
        damagedBase58,
        xrp,
        ton,
        stellar,
        tron,
        solana,
        cardano,
      ],
      ...[substrate, algorand],
    ),
  ),
  DEVICE: inRoom(fc.oneof(deviceUuid, hardware, imei, reference)),
  IP: inRoom(address),
  NETWORK: inRoom(network),
  COUNTRY: inRoom(country),
  PHONE: inRoom(phone),
  EMAIL: inRoom(email),
  IDENTIFIER: inRoom(identifier),
};
