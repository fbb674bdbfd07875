// Imports nothing: the hosted page runs the same code in the browser before it uploads an image.

/** Measures of how readable an image is. */
export interface ImageQuality {
  /** Variance of the Laplacian of the luma, on the image scaled to 1,024 px: below about 100 it looks blurred. */
  readonly sharpness: number;
  /** Share of overexposed pixels (luma 250 or more), 0 to 1. */
  readonly glare: number;
  /** Mean luma, 0 to 255. */
  readonly brightness: number;
  /** Standard deviation of the luma. */
  readonly contrast: number;
  /** Sharpness of the strongest edges, in the blurrier direction: second over first differences. 1 or more is sharp. */
  readonly focus: number;
  /** Share of the tiles (32 px squares) that have detail, 0 to 1. */
  readonly detail: number;
  /** Share of the tiles with strokes as fine and strong as print, 0 to 1. */
  readonly print: number;
  /** The largest overexposed spot (a reflection), as a share of the image, 0 to 1. */
  readonly spot: number;
  /**
   * The share of an edge of the image, 0 to 1, along which the document is cut off; of the four edges, the worst. 0 if
   * it reaches three or four edges.
   */
  readonly cut: number;
}

/** A grey-scale image: one luma byte per pixel, row by row. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A tile: a 32 px square of the image with the statistics of its pixels. */
interface Tile {
  readonly column: number;
  readonly row: number;
  readonly variance: number;
  /** Mean squares of the first and second differences between neighbouring pixels, horizontally and vertically. */
  readonly across: Changes;
  readonly down: Changes;
  readonly burnt: number;
  readonly mean: number;
}

interface Changes {
  readonly first: number;
  readonly second: number;
}

interface Tiles {
  readonly columns: number;
  readonly rows: number;
  readonly all: readonly Tile[];
}

const TILE = 32;
const BURNT_OUT = 250;
/** Minimum variance of a tile with detail: the noise of a small sensor has about 40. */
const DETAIL = 60;
/** Minimum mean square of first differences of a tile with edges. */
const EDGES = 12;
/** Minimum ratio of the variance of a tile to its first differences at which its edges count as blurred. */
const BLUR_RATIO = 8;
/** Limits of a paper tile: variance, difference to the usual luma, change between two tiles, tiles to print. */
const PAPER = { variance: 260, tolerance: 40, step: 5, reach: 8 } as const;
/** Minimum mean square of second differences of a tile with letters; tables, cloth and wood hardly ever reach it. */
const STROKES = 900;

export function measureQuality(image: Luma): ImageQuality {
  const { pixels } = image;
  let sum = 0;
  let squares = 0;
  let burnt = 0;
  for (const value of pixels) {
    sum += value;
    squares += value * value;
    if (value >= BURNT_OUT) burnt += 1;
  }
  const count = Math.max(1, pixels.length);
  const brightness = sum / count;
  const tiles = tilesOf(image);
  return {
    sharpness: rounded(laplacianVariance(image), 1),
    glare: rounded(burnt / count, 4),
    brightness: rounded(brightness, 1),
    contrast: rounded(Math.sqrt(Math.max(0, squares / count - brightness * brightness)), 1),
    focus: rounded(focusOf(tiles), 3),
    detail: rounded(shareOf(tiles.all, isDetailed), 3),
    print: rounded(shareOf(tiles.all, hasStrokes), 3),
    spot: rounded(spotOf(tiles), 4),
    cut: rounded(cutOf(tiles), 3),
  };
}

/**
 * The variance of the Laplacian, the common measure of focus (Pech-Pacheco and others, ICPR 2000): high with sharp
 * edges, low in a blurred image.
 */
export function laplacianVariance({ width, height, pixels }: Luma): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const value =
        (pixels[at - 1] ?? 0) +
        (pixels[at + 1] ?? 0) +
        (pixels[at - width] ?? 0) +
        (pixels[at + width] ?? 0) -
        4 * (pixels[at] ?? 0);
      sum += value;
      squares += value * value;
      count += 1;
    }
  }
  if (count === 0) return 0;
  const mean = sum / count;
  return squares / count - mean * mean;
}

function tilesOf({ width, height, pixels }: Luma): Tiles {
  const [columns, rows] = [Math.floor(width / TILE), Math.floor(height / TILE)];
  const tiles: Tile[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      let [sum, squares, burnt] = [0, 0, 0];
      const [across, down] = [
        { first: 0, second: 0 },
        { first: 0, second: 0 },
      ];
      for (let y = row * TILE; y < (row + 1) * TILE; y += 1) {
        for (let x = column * TILE; x < (column + 1) * TILE; x += 1) {
          const at = y * width + x;
          const value = pixels[at] ?? 0;
          sum += value;
          squares += value * value;
          if (value >= BURNT_OUT) burnt += 1;
          if (x > 0 && x < width - 1) add(across, pixels[at - 1] ?? 0, value, pixels[at + 1] ?? 0);
          if (y > 0 && y < height - 1) add(down, pixels[at - width] ?? 0, value, pixels[at + width] ?? 0);
        }
      }
      const count = TILE * TILE;
      const mean = sum / count;
      const variance = Math.max(0, squares / count - mean * mean);
      const mean_ = (changes: Changes): Changes => ({
        first: changes.first / count,
        second: changes.second / count,
      });
      tiles.push({
        ...{ column, row, variance, mean, burnt: burnt / count },
        ...{ across: mean_(across), down: mean_(down) },
      });
    }
  }
  return { columns, rows, all: tiles };
}

function add(sums: { first: number; second: number }, before: number, value: number, after: number): void {
  sums.first += (after - value) * (after - value);
  sums.second += (before + after - 2 * value) * (before + after - 2 * value);
}

const isDetailed = ({ variance }: Tile): boolean => variance >= DETAIL;
const hasStrokes = ({ across, down }: Tile): boolean => across.second + down.second >= STROKES;

/**
 * The sharpness of the strongest edges: second over first differences, which depends neither on contrast nor on the
 * size of the document. The blurrier direction counts, because camera shake blurs one direction only. A direction
 * without edges is ignored; without any edges the result is 0.
 */
function focusOf({ all }: Tiles): number {
  const along = (of: (tile: Tile) => Changes): number | null => {
    const strongest = all.filter((tile) => of(tile).first >= EDGES).sort((a, b) => of(b).first - of(a).first);
    if (strongest.length === 0) return null;
    return quantile(
      // Blurred strokes have a large variance but small differences between neighbouring pixels.
      strongest
        .slice(0, Math.ceil(strongest.length / 4))
        .map((tile) => of(tile).second / Math.max(of(tile).first, tile.variance / BLUR_RATIO)),
      0.5,
    );
  };
  const sharpness = [along(({ across }) => across), along(({ down }) => down)].filter((one) => one !== null);
  return sharpness.length === 0 ? 0 : Math.min(...sharpness);
}

/**
 * The largest overexposed spot as a share of the image: a reflection that hides print. White paper and a white table do
 * not count: they reach the edge of the image or end at a sharp edge.
 */
function spotOf(tiles: Tiles): number {
  const { columns, rows, all } = tiles;
  let largest = 0;
  for (const blob of blobsOf(tiles, ({ burnt }) => burnt >= 0.9)) {
    const atEdge = blob.some(
      ({ column, row }) => column === 0 || row === 0 || column === columns - 1 || row === rows - 1,
    );
    if (atEdge) continue;
    const around = neighboursOf(tiles, blob);
    // A reflection fades out: the tiles around it are bright and change slowly.
    const fading = shareOf(around, (tile) => !hasStrokes(tile) && tile.mean >= 200);
    if (fading >= 0.6) largest = Math.max(largest, blob.length / all.length);
  }
  return largest;
}

/**
 * Returns the share of an edge of the image, 0 to 1, along which the document is cut off (edge tiles from which paper
 * continues to print without a sharp step): of the four edges, the worst. 0 for a document that reaches three or four
 * edges: it fills the image, or lies on a table of its own colour.
 */
function cutOf(tiles: Tiles): number {
  const { columns, rows, all } = tiles;
  const printed = new Set(all.filter(hasStrokes));
  const paper = paperOf(tiles, printed);
  if (paper === null) return 0;
  const isPaper = (tile: Tile): boolean =>
    tile.variance < PAPER.variance && Math.abs(tile.mean - paper) <= PAPER.tolerance;
  const leadsToPrint = (path: readonly Tile[]): boolean => {
    for (const [i, tile] of path.entries()) {
      if (printed.has(tile)) return true;
      const before = path[Math.max(0, i - 2)] ?? tile;
      if (!isPaper(tile) || Math.abs(tile.mean - before.mean) > PAPER.step) return false;
    }
    return false;
  };
  const paths = (
    count: number,
    length: number,
    at: (i: number, depth: number) => number,
  ): readonly Tile[][] =>
    Array.from({ length: count }, (_, i) =>
      Array.from({ length: Math.min(PAPER.reach, length) }, (__, depth) => all[at(i, depth)]).filter(
        (tile) => tile !== undefined,
      ),
    );
  const sides = [
    paths(columns, rows, (i, depth) => depth * columns + i),
    paths(columns, rows, (i, depth) => (rows - 1 - depth) * columns + i),
    paths(rows, columns, (i, depth) => i * columns + depth),
    paths(rows, columns, (i, depth) => i * columns + columns - 1 - depth),
  ].map((side) => side.filter(leadsToPrint).length / Math.max(1, side.length));
  const [first = 0, , third = 0] = sides.sort((a, b) => b - a);
  return third > 0.1 ? 0 : first;
}

/** Returns the median luma of the paper between printed tiles; null if no tile is printed. */
function paperOf({ columns, rows, all }: Tiles, printed: ReadonlySet<Tile>): number | null {
  const between = all.filter(
    (tile) =>
      !printed.has(tile) &&
      adjacentTiles(all, columns, rows, tile).filter((next) => printed.has(next)).length >= 2,
  );
  return between.length === 0
    ? null
    : quantile(
        between.map(({ mean }) => mean),
        0.5,
      );
}

/** Connected groups of tiles that satisfy the condition. */
function blobsOf({ columns, rows, all }: Tiles, holds: (tile: Tile) => boolean): Tile[][] {
  const open = new Set(all.filter(holds));
  const blobs: Tile[][] = [];
  for (const start of open) {
    open.delete(start);
    const blob = [start];
    for (const tile of blob) {
      for (const next of adjacentTiles(all, columns, rows, tile)) if (open.delete(next)) blob.push(next);
    }
    blobs.push(blob);
  }
  return blobs;
}

function neighboursOf({ columns, rows, all }: Tiles, blob: readonly Tile[]): Tile[] {
  const blobTiles = new Set(blob);
  const around = blob.flatMap((tile) => adjacentTiles(all, columns, rows, tile));
  return [...new Set(around)].filter((tile) => !blobTiles.has(tile));
}

function adjacentTiles(all: readonly Tile[], columns: number, rows: number, { column, row }: Tile): Tile[] {
  return [
    [column - 1, row],
    [column + 1, row],
    [column, row - 1],
    [column, row + 1],
  ].flatMap(([x = -1, y = -1]) =>
    x < 0 || y < 0 || x >= columns || y >= rows ? [] : (all[y * columns + x] ?? []),
  );
}

const shareOf = (tiles: readonly Tile[], holds: (tile: Tile) => boolean): number =>
  tiles.length === 0 ? 0 : tiles.filter(holds).length / tiles.length;

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
