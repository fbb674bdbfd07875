import { table } from '../../table.js';
import { alpha3Countries, countryCodes } from '../../reference/countries.js';

/** Country names that the Unicode data lacks: common names, and the names of ISO 3166, the United Nations and OFAC. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = table({
  AE: ['UAE', 'EAU'],
  BN: ['Brunei Darussalam'],
  BO: ['Bolivia (Plurinational State of)', 'Estado Plurinacional da Bolívia'],
  BQ: ['Bonaire, Sint Eustatius and Saba'],
  BR: ['Federative Republic of Brazil', 'República Federativa do Brasil'],
  CD: ['Democratic Republic of the Congo', 'DR Congo', 'DRC', 'República Democrática do Congo'],
  CG: ['Congo', 'Republic of the Congo', 'República do Congo'],
  CI: [`Côte d'Ivoire`, 'Ivory Coast'],
  CN: [`People's Republic of China`, 'República Popular da China'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic', 'República Tcheca', 'República Checa'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Micronesia (Federated States of)', 'Estados Federados da Micronésia'],
  GB: ['United Kingdom of Great Britain and Northern Ireland', 'Great Britain', 'Grã-Bretanha'],
  GM: ['Republic of the Gambia'],
  GS: ['South Georgia and the South Sandwich Islands'],
  HK: ['Hong Kong'],
  HM: ['Heard Island and McDonald Islands'],
  IR: ['Islamic Republic of Iran', 'República Islâmica do Irã'],
  KP: [
    ...[`Democratic People's Republic of Korea`, 'North Korea', 'DPRK'],
    'República Popular Democrática da Coreia',
  ],
  KR: ['Republic of Korea', 'South Korea', 'República da Coreia'],
  LA: [`Lao People's Democratic Republic`],
  LY: ['Libyan Arab Jamahiriya', 'State of Libya'],
  MD: ['Republic of Moldova', 'República da Moldávia'],
  MF: ['Saint Martin (French part)'],
  MK: [
    'Macedonia',
    'Macedonia (the former Yugoslav Republic of)',
    'Republic of North Macedonia',
    'Macedônia',
  ],
  MM: ['Burma', 'Myanmar', 'Birmânia', 'Mianmar'],
  MO: ['Macao', 'Macau'],
  NL: ['Netherlands (Kingdom of the)', 'Holanda'],
  PN: ['Pitcairn'],
  PS: ['State of Palestine', 'Palestinian', 'Palestine', 'Palestina', 'Estado da Palestina'],
  RU: ['Russian Federation', 'Federação Russa', 'Federação da Rússia'],
  SH: ['Saint Helena, Ascension and Tristan da Cunha'],
  SX: ['Sint Maarten (Dutch part)'],
  SY: ['Syrian Arab Republic', 'República Árabe Síria'],
  SZ: ['Swaziland', 'Suazilândia'],
  TL: ['East Timor', 'Timor Leste'],
  TR: ['Turkey', 'Türkiye', 'Turquia'],
  TW: ['Taiwan, Province of China', 'Taiwan, Republic of China'],
  TZ: ['United Republic of Tanzania', 'República Unida da Tanzânia'],
  UM: ['United States Minor Outlying Islands'],
  US: [
    ...['United States of America', 'U.S.A.', 'U.S.'],
    ...['Estados Unidos da América', 'Estados Unidos da América do Norte', 'EUA', 'E.U.A.'],
  ],
  VA: ['Holy See', 'Santa Sé', 'Vaticano'],
  VE: ['Venezuela (Bolivarian Republic of)', 'República Bolivariana da Venezuela'],
  VG: ['Virgin Islands (British)'],
  VI: ['Virgin Islands (U.S.)'],
  VN: ['Viet Nam', 'Vietnam'],
});

const LITTLE_WORDS = new Set(['and', 'e', 'the', 'of', 'a', 'o', 'as', 'os', 'da', 'de', 'do', 'das', 'dos']);

/**
 * Returns the significant words of a name, sorted, so that `Congo, Democratic Republic of the` equals the usual order.
 */
const wordsOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !LITTLE_WORDS.has(word))
    .map((word) => (word === 'st' ? 'saint' : word))
    .sort()
    .join(' ');

const byName: ReadonlyMap<string, string> = new Map(
  [...countryCodes].flatMap((code) =>
    [
      ...['en', 'pt-BR', 'pt-PT'].flatMap((language) =>
        (['long', 'short'] as const).map(
          (style) => new Intl.DisplayNames([language], { type: 'region', style }).of(code) ?? code,
        ),
      ),
      ...(OTHER_NAMES[code] ?? []),
    ].map((name): [string, string] => [wordsOf(name), code]),
  ),
);

const MAX_NAME = 100;

/**
 * Returns the alpha-2 code of a country from its alpha-2 or alpha-3 code, or from its name in English or Portuguese.
 */
export function canonicalCountryCode(text: string): string | null {
  const code = text.toUpperCase();
  if (countryCodes.has(code)) return code;
  return alpha3Countries.get(code) ?? (text.length > MAX_NAME ? null : (byName.get(wordsOf(text)) ?? null));
}
