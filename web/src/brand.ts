/** The organisation's colour, made readable whatever it is. */
export interface Palette {
  /** The colour as it was given; for surfaces. */
  readonly brand: string;
  /** Black or white, whichever reads better on it. */
  readonly onBrand: string;
  /** The colour, darkened or in the dark lightened until it reads well on the page; for text, lines and marks. */
  readonly strong: string;
}

type Rgb = readonly [number, number, number];

// The colour of styles.css, for organisations without one.
const OURS: Rgb = [29, 79, 145];
// WCAG 2.2, 1.4.3: text of normal size.
const READABLE = 4.5;
const WHITE: Rgb = [255, 255, 255];
// --ground of styles.css: what reads on it reads on white too.
const GROUND: Rgb = [244, 246, 249];
// --card of styles.css in the dark: what reads on it reads on what is darker too.
const DARK_CARD: Rgb = [26, 33, 42];
const BLACK: Rgb = [17, 24, 39];

/** Makes a palette of a colour as `#0B5FFF` or `#05f`; of our own when it is none. */
export function paletteOf(colour: string | null | undefined, isDark = false): Palette {
  const brand = rgbOf(colour ?? '') ?? OURS;
  let strong = brand;
  // Black reads on the one and white on the other, so that this ends.
  while (contrast(strong, isDark ? DARK_CARD : GROUND) < READABLE) {
    strong = strong.map((part) =>
      isDark ? Math.ceil(part + (255 - part) * 0.05) : Math.floor(part * 0.95),
    ) as unknown as Rgb;
  }
  const onBrand = contrast(WHITE, brand) >= READABLE ? WHITE : darkOn(brand);
  return { brand: hexOf(brand), onBrand: hexOf(onBrand), strong: hexOf(strong) };
}

/** White or black always has a contrast of at least 4.58 with any colour. */
const darkOn = (brand: Rgb): Rgb => (contrast(BLACK, brand) >= READABLE ? BLACK : [0, 0, 0]);

function rgbOf(colour: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  const parts = short ? short.slice(1).map((digit) => digit + digit) : long?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => parseInt(part, 16));
  return red === undefined || green === undefined || blue === undefined ? null : [red, green, blue];
}

const hexOf = (colour: Rgb): string =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
