// Machine-readable zones of ICAO Doc 9303: TD1 (three lines of 30: the CIN and the RNM), TD2 (two of 36), TD3 (two of
// 44: passports). The text comes from a provider or from the person; this service reads no pictures.

export interface MachineReadableZone {
  readonly name: string;
  readonly number: string;
  /** ISO 3166-1 alpha-3, as written in the zone. */
  readonly nationality: string;
  /** `YYYY-MM-DD`; null if the zone has no valid date. */
  readonly birthDate: string | null;
  readonly expiresOn: string | null;
  /** The text that a country writes in the optional parts, such as a personal number. */
  readonly optional: string;
  /** The fields whose check digit is wrong; a genuine zone has none. */
  readonly wrong: readonly string[];
}

const WEIGHTS = [7, 3, 1] as const;

/** The check digit of a field: digits as they are, letters from 10, `<` as 0, weighted 7, 3, 1. */
export function checkDigitOf(text: string): number {
  let sum = 0;
  for (const [i, character] of text.split('').entries()) {
    const code = character.charCodeAt(0);
    const value = character === '<' ? 0 : code >= 65 ? code - 55 : code - 48;
    sum += value * (WEIGHTS[i % 3] ?? 0);
  }
  return sum % 10;
}

const FORM = /^[A-Z0-9<]+$/;

/** Reads a zone; null if the text is not a zone. `today` decides the century of a birth. */
export function readZone(text: string | readonly string[], today: string): MachineReadableZone | null {
  const lines = (typeof text === 'string' ? text.split(/\r?\n/) : text)
    .map((line) => line.replaceAll(' ', '').toUpperCase())
    .filter((line) => line !== '');
  if (!lines.every((line) => FORM.test(line))) return null;
  const [first = '', second = '', third = ''] = lines;
  if (lines.length === 3 && lines.every(({ length }) => length === 30)) {
    const composite = first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29);
    return composeZone(today, {
      name: third,
      number: [first.slice(5, 14), first[14], first.slice(15)],
      birth: [second.slice(0, 6), second[6]],
      expiry: [second.slice(8, 14), second[14]],
      nationality: second.slice(15, 18),
      optional: first.slice(15) + second.slice(18, 29),
      composite: [composite, second[29]],
    });
  }
  const width = first.length;
  if (lines.length !== 2 || second.length !== width || (width !== 36 && width !== 44)) return null;
  const rest = second.slice(28, width === 44 ? 42 : 35);
  const composite = second.slice(0, 10) + second.slice(13, 20) + second.slice(21, width - 1);
  return composeZone(today, {
    name: first.slice(5),
    number: [second.slice(0, 9), second[9], ''],
    birth: [second.slice(13, 19), second[19]],
    expiry: [second.slice(21, 27), second[27]],
    nationality: second.slice(10, 13),
    optional: rest,
    composite: [composite, second[width - 1]],
  });
}

interface Parts {
  readonly name: string;
  readonly number: readonly [text: string, digit: string | undefined, overflow: string];
  readonly birth: readonly [text: string, digit: string | undefined];
  readonly expiry: readonly [text: string, digit: string | undefined];
  readonly nationality: string;
  readonly optional: string;
  readonly composite: readonly [text: string, digit: string | undefined];
}

function composeZone(today: string, parts: Parts): MachineReadableZone {
  const { number, birth, expiry, composite } = parts;
  // A number of more than nine characters continues in the optional part, up to its check digit (Doc 9303-5, note j).
  const long = number[1] === '<' ? /^([A-Z0-9]+)<?/.exec(number[2])?.[1] : undefined;
  const whole: readonly [string, string | undefined] =
    long === undefined ? [number[0], number[1]] : [number[0] + long.slice(0, -1), long.at(-1)];
  const isWrong = ([text, digit]: readonly [string, string | undefined]): boolean =>
    String(checkDigitOf(text)) !== (digit === '<' && /^<*$/.test(text) ? '0' : digit);
  return {
    name: nameIn(parts.name),
    number: whole[0].replaceAll('<', ''),
    nationality: parts.nationality.replaceAll('<', ''),
    birthDate: dateIn(birth[0], Number(today.slice(2, 4))),
    expiresOn: dateIn(expiry[0], null),
    optional: parts.optional.replaceAll('<', ' ').trim(),
    wrong: [
      ...(isWrong(whole) ? ['NUMBER'] : []),
      ...(isWrong(birth) ? ['BIRTH_DATE'] : []),
      ...(isWrong(expiry) ? ['EXPIRY'] : []),
      ...(isWrong(composite) ? ['COMPOSITE'] : []),
    ],
  };
}

/** Puts the given names first; a zone begins with the surname. */
function nameIn(text: string): string {
  const [surname = '', given = ''] = text.split('<<');
  return [given, surname]
    .map((part) => part.replaceAll('<', ' ').trim())
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * Reads a date. Birth dates (with `thisYear`) are in the past, which decides the century; documents expire in this
 * century.
 */
function dateIn(text: string, thisYear: number | null): string | null {
  const match = /^(\d{2})(\d{2})(\d{2})$/.exec(text);
  const [, year = '', month = '', day = ''] = match ?? [];
  if (!match || month < '01' || month > '12' || day < '01' || day > '31') return null;
  const century = thisYear !== null && Number(year) > thisYear ? '19' : '20';
  return `${century}${year}-${month}-${day}`;
}
