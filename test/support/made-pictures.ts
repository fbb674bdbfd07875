import sharp from 'sharp';

// Made pictures of documents and faces as a phone would take them: on a table, a little turned, unevenly lit, with noise.
// Nothing in them is a real document; letters are strokes, so that no font is needed.

/** A source of numbers from 0 to 1 that says the same for the same seed. */
type Chance = () => number;

function chanceOf(seed: number): Chance {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
  for (let i = 0; i < 20; i += 1) next();
  return next;
}

const among = <T>(chance: Chance, values: readonly T[]): T =>
  values[Math.floor(chance() * values.length)] as T;
const times = (count: number, draw: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => draw(i)).join('');

/** Something that lies before the camera, in units of its own. */
interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

/** A line of strokes that looks like printed letters to any measure. */
function letters(chance: Chance, x: number, y: number, width: number, size: number, ink: string): string {
  const [wide, high] = [size * 0.5, size * 0.72];
  let strokes = '';
  let word = 0;
  for (let at = x; at < x + width; at += size * 0.66) {
    if (word <= 0) {
      word = 2 + Math.floor(chance() * 8);
      at += size * 0.35;
    }
    word -= 1;
    const point = (): string =>
      `${(at + Math.floor(chance() * 3) * (wide / 2)).toFixed(1)} ${(y - Math.floor(chance() * 3) * (high / 2)).toFixed(1)}`;
    strokes += `M${point()}L${point()}L${point()}`;
  }
  return `<path d="${strokes}" stroke="${ink}" stroke-width="${(size * 0.11).toFixed(2)}" fill="none"/>`;
}

const lines = (
  chance: Chance,
  [x, y, width]: readonly [number, number, number],
  count: number,
  size: number,
  ink = '#222',
): string =>
  times(count, (i) => letters(chance, x, y + i * size * 1.8, width * (0.6 + 0.4 * chance()), size, ink));

function face(chance: Chance, x: number, y: number, w: number, h: number, backdrop = true): string {
  const skin = among(chance, ['#f1d0b5', '#d9a578', '#a9714b', '#6b4329', '#3b2416']);
  const hair = among(chance, ['#1b1410', '#4a2f1d', '#8a6a3b', '#777']);
  const [cx, cy] = [x + w / 2, y + h * 0.42];
  const eye = (side: number): string =>
    `<ellipse cx="${cx + side * w * 0.1}" cy="${cy}" rx="${w * 0.045}" ry="${h * 0.022}" fill="#fff"/>
     <circle cx="${cx + side * w * 0.1}" cy="${cy}" r="${w * 0.018}" fill="#221"/>
     <path d="M${cx + side * w * 0.1 - w * 0.06} ${cy - h * 0.04} q${w * 0.06} ${-h * 0.02} ${w * 0.12} 0" stroke="${hair}"
       stroke-width="${w * 0.015}" fill="none"/>`;
  return `${backdrop ? `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="#d5dde2"/>` : ''}
    <path d="M${x + w * 0.1} ${y + h} q${w * 0.4} ${-h * 0.45} ${w * 0.8} 0 z" fill="#345"/>
    <ellipse cx="${cx}" cy="${y + h * 0.4}" rx="${w * 0.3}" ry="${h * 0.34}" fill="${hair}"/>
    ${times(60, (i) => `<path d="M${cx - w * 0.28 + i * w * 0.0095} ${y + h * 0.2} q${w * 0.02} ${-h * 0.08} ${w * 0.01} ${h * 0.06}" stroke="#0006" stroke-width="1.5" fill="none"/>`)}
    <ellipse cx="${cx}" cy="${y + h * 0.46}" rx="${w * 0.25}" ry="${h * 0.3}" fill="${skin}"/>${eye(-1)}${eye(1)}
    <path d="M${cx} ${y + h * 0.44} l${-w * 0.03} ${h * 0.1} l${w * 0.05} 0" stroke="#0004" stroke-width="${w * 0.008}" fill="none"/>
    <path d="M${cx - w * 0.08} ${y + h * 0.62} q${w * 0.08} ${h * 0.03} ${w * 0.16} 0" stroke="#833" stroke-width="${w * 0.02}" fill="none"/>`;
}

interface CardLook {
  readonly paper: string;
  readonly wave: string;
  readonly ink?: string;
  readonly photo?: 'LEFT' | 'RIGHT';
  readonly height?: number;
  readonly rows: number;
  readonly zoneLines?: number;
  readonly code?: boolean;
}

function card(chance: Chance, look: CardLook): Drawing {
  const { paper, wave, ink = '#223', photo, height = 540, rows, zoneLines = 0, code = false } = look;
  const width = 860;
  const textAt = photo === 'LEFT' ? 300 : 45;
  return {
    ...{ width, height },
    svg: `<rect width="${width}" height="${height}" rx="26" fill="${paper}"/>
      ${times(18, (i) => `<path d="M0 ${(height * i) / 18} q${width / 4} ${40 * chance() - 20} ${width / 2} 0 t${width / 2} 0" stroke="${wave}" stroke-width="1.2" fill="none" opacity=".35"/>`)}
      ${letters(chance, 40, 66, 420, 30, ink)}
      ${photo ? face(chance, photo === 'LEFT' ? 45 : 590, 100, 220, 290) : ''}
      ${lines(chance, [textAt, 130, code ? 240 : 500], rows, 22, ink)}
      ${times(zoneLines, (i) => letters(chance, 30, height - 30 - i * 38, 800, 30, '#111'))}
      ${code ? times(625, (i) => (chance() < 0.5 ? `<rect x="${560 + (i % 25) * 10}" y="${150 + Math.floor(i / 25) * 10}" width="10" height="10"/>` : '')) : ''}`,
  };
}

function sheet(chance: Chance, { table, logo }: { readonly table: boolean; readonly logo: string }): Drawing {
  return {
    ...{ width: 900, height: 1_270 },
    svg: `<rect width="900" height="1270" fill="#fbfbf8"/><rect x="60" y="60" width="180" height="70" fill="${logo}"/>
      ${lines(chance, [300, 90, 520], 3, 20)}${lines(chance, [60, 220, 760], 8, 19)}
      ${table ? times(16, (i) => `<path d="M60 ${520 + i * 34} h780" stroke="#888"/>`) + lines(chance, [70, 545, 740], 15, 19) : ''}
      ${lines(chance, [60, 1_130, 760], 4, 15)}`,
  };
}

/** Ten kinds of documents, some of them with a back. */
const documents = {
  cnh: (chance) => card(chance, { paper: '#d9ead8', wave: '#3a7', photo: 'LEFT', rows: 8 }),
  cnhBack: (chance) => card(chance, { paper: '#dbe8d6', wave: '#384', rows: 8, code: true }),
  rg: (chance) => card(chance, { paper: '#cfe3cf', wave: '#185', photo: 'RIGHT', rows: 7 }),
  cin: (chance) => card(chance, { paper: '#e6efe9', wave: '#6ab', photo: 'LEFT', rows: 6 }),
  cinBack: (chance) => card(chance, { paper: '#eef2ea', wave: '#7b9', rows: 4, code: true, zoneLines: 3 }),
  rnm: (chance) => card(chance, { paper: '#e9e4d4', wave: '#a86', photo: 'LEFT', rows: 6 }),
  passport: (chance) =>
    card(chance, { paper: '#eaeef4', wave: '#79b', photo: 'LEFT', height: 640, rows: 7, zoneLines: 2 }),
  professional: (chance) =>
    card(chance, { paper: '#b32020', wave: '#f88', ink: '#fff', photo: 'LEFT', rows: 6 }),
  utilityBill: (chance) => sheet(chance, { table: true, logo: '#063' }),
  bankStatement: (chance) => sheet(chance, { table: true, logo: '#900' }),
  taxNotice: (chance) => sheet(chance, { table: true, logo: '#259' }),
  articles: (chance) => sheet(chance, { table: false, logo: '#fff' }),
} satisfies Readonly<Record<string, (chance: Chance) => Drawing>>;

export type MadeDocument = keyof typeof documents;
export const madeDocuments = Object.keys(documents) as readonly MadeDocument[];

const tables = {
  plain: (chance: Chance, w: number, h: number): string =>
    `<rect width="${w}" height="${h}" fill="${among(chance, ['#ccc', '#eee', '#445', '#222', '#fff', '#b9a'])}"/>`,
  wood: (chance: Chance, w: number, h: number): string =>
    `<rect width="${w}" height="${h}" fill="#8a5a34"/>${times(90, () => `<path d="M0 ${chance() * h} q${w / 3} ${chance() * 26 - 13} ${w * 0.6} 0 t${w * 0.5} 0" stroke="${among(chance, ['#6b4326', '#a87248'])}" stroke-width="${1 + chance() * 3}" fill="none" opacity=".6"/>`)}`,
  cloth: (_chance: Chance, w: number, h: number): string =>
    `<rect width="${w}" height="${h}" fill="#567"/>${times(Math.ceil(w / 12), (i) => `<path d="M${i * 12} 0 v${h}" stroke="#345" stroke-width="4" opacity=".55"/>`)}${times(Math.ceil(h / 12), (i) => `<path d="M0 ${i * 12} h${w}" stroke="#789" stroke-width="3" opacity=".5"/>`)}`,
  granite: (chance: Chance, w: number, h: number): string =>
    `<rect width="${w}" height="${h}" fill="#777"/>${times(1_500, () => `<circle cx="${chance() * w}" cy="${chance() * h}" r="${1 + chance() * 4}" fill="${among(chance, ['#555', '#999', '#333', '#bbb'])}"/>`)}`,
};
export type MadeTable = keyof typeof tables;
export const madeTables = Object.keys(tables) as readonly MadeTable[];

/** The circumstances of a picture; good ones when left out. */
export interface Taking {
  readonly seed?: number;
  readonly table?: MadeTable;
  /** The longer side, in pixels. */
  readonly side?: number;
  /** How much of the picture the document takes. */
  readonly fill?: number;
  /** How far it lies off the middle, in shares of the picture. */
  readonly off?: readonly [x: number, y: number];
  /** Standard deviation of the blur, in thousandths of the longer side. */
  readonly blur?: number;
  /** The way of a hand that moved, in thousandths of the longer side. */
  readonly moved?: number;
  /** Factor of the light. */
  readonly light?: number;
  /** Factor of the contrast around a middle grey. */
  readonly contrast?: number;
  /** Radius of a lamp's reflection, in shares of the picture. */
  readonly lamp?: number;
}

/** A photo of a document, as JPEG. */
export function documentPhoto(kind: MadeDocument, taking: Taking = {}): Promise<Buffer> {
  const { seed = 1, table = 'plain', fill = 0.82, off = [0, 0] } = taking;
  const chance = chanceOf(seed * 131 + madeDocuments.indexOf(kind));
  const { width, height, svg } = documents[kind](chance);
  const [w, h] = width > height ? [1_024, 768] : [768, 1_024];
  const scale = Math.min((w * fill) / width, (h * fill) / height);
  const placed = `translate(${w / 2 + off[0] * w} ${h / 2 + off[1] * h}) rotate(${chance() * 8 - 4}) scale(${scale}) translate(${-width / 2} ${-height / 2})`;
  return taken(chance, w, h, `${tables[table](chance, w, h)}<g transform="${placed}">${svg}</g>`, taking);
}

/** A photo of a face, as JPEG. */
export function facePhoto(taking: Taking = {}): Promise<Buffer> {
  const { seed = 1, table = 'plain' } = taking;
  const chance = chanceOf(seed * 17 + 5);
  const [w, h] = [768, 1_024];
  const svg = `${tables[table](chance, w, h)}${face(chance, w * 0.14, h * 0.12, w * 0.72, h * 0.86, false)}`;
  return taken(chance, w, h, svg, taking);
}

/** A photo of nothing but a table. */
export const tablePhoto = (taking: Taking = {}): Promise<Buffer> => {
  const chance = chanceOf(taking.seed ?? 1);
  return taken(chance, 1_024, 768, tables[taking.table ?? 'plain'](chance, 1_024, 768), taking);
};

async function taken(chance: Chance, w: number, h: number, content: string, taking: Taking): Promise<Buffer> {
  const { side = 1_024, blur = 0.4, moved = 0, light = 1, contrast = 1, lamp = 0 } = taking;
  const shadow = `<defs><linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="${0.1 * chance()}"/>
    <stop offset="1" stop-color="#000" stop-opacity="${0.05 + 0.25 * chance()}"/></linearGradient><radialGradient id="g"><stop offset="0" stop-color="#fff"/>
    <stop offset=".65" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>`;
  const [x, y] = [w * (0.35 + 0.3 * chance()), h * (0.35 + 0.3 * chance())];
  const reflection =
    lamp > 0 ? `<ellipse cx="${x}" cy="${y}" rx="${w * lamp}" ry="${h * lamp * 0.8}" fill="url(#g)"/>` : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">${shadow}${content}<rect width="${w}" height="${h}" fill="url(#l)"/>${reflection}</svg>`;
  const drawn = sharp(Buffer.from(svg), { density: (72 * side) / 1_024 }).removeAlpha();
  const { data: first, info } = await drawn.raw().toBuffer({ resolveWithObject: true });
  let data = first;
  const raw = { raw: { width: info.width, height: info.height, channels: 3 as const } };
  const way = Math.round((moved * side) / 1_000) | 1;
  if (way > 1) {
    const kernel = [
      ...Array<number>(way).fill(0),
      ...Array<number>(way).fill(1),
      ...Array<number>(way).fill(0),
    ];
    data = await sharp(data, raw).convolve({ width: way, height: 3, kernel, scale: way }).raw().toBuffer();
  }
  const sigma = (blur * side) / 1_000;
  if (sigma >= 0.3) data = await sharp(data, raw).blur(sigma).raw().toBuffer();
  // A small sensor has noise: each pixel a little off.
  const size = { width: info.width, height: info.height };
  const noise = await sharp({
    create: { ...size, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 10, sigma: 2.5 } },
  })
    .png()
    .toBuffer();
  // light, then contrast around the middle, less the mean of the noise
  const lit = await sharp(data, raw)
    .linear(light * contrast, 128 * (1 - contrast) - 10)
    .raw()
    .toBuffer();
  return sharp(lit, raw)
    .composite([{ input: noise, blend: 'add' }])
    .jpeg({ quality: 86 })
    .toBuffer();
}
