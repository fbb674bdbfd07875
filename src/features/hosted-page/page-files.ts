import { table } from '../../platform/kernel/table.js';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip' | 'identity';

/** One file of the built page, plain and in the encodings that the build compressed. */
export interface PageFile {
  readonly type: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const TYPES: Readonly<Record<string, string>> = table({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
});
/** The response content of page assets, for the OpenAPI documents. */
export const ASSET_CONTENT = {
  description: 'The file.',
  content: {
    'text/javascript': { schema: { type: 'string' } },
    'text/css': { schema: { type: 'string' } },
    'image/svg+xml': { schema: { type: 'string' } },
    'application/wasm': { schema: { type: 'string', format: 'binary' } },
  },
} as const;
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
const PAGE = 'index.html';

// The compiled file is in dist/src/features/hosted-page; tests run it from src/features/hosted-page.
const root = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../../../', import.meta.url);

/**
 * The build output of one page, read once and kept in memory. A requested name is looked up in this map and never becomes a
 * file path.
 */
export class PageFiles {
  private readonly folder: string;
  private files: Promise<ReadonlyMap<string, PageFile>> | undefined;

  /** @param folder the build folder, relative to the root of the repository, with a slash at its end */
  constructor(folder: string) {
    this.folder = fileURLToPath(new URL(folder, root));
  }

  /** Returns the page; null if it was not built. */
  async page(): Promise<PageFile | null> {
    return (await this.readFiles()).get(PAGE) ?? null;
  }

  /** Returns a script, style sheet or other asset; null if no asset has this name. */
  async asset(name: string): Promise<PageFile | null> {
    return (await this.readFiles()).get(`assets/${name}`) ?? null;
  }

  private async readFiles(): Promise<ReadonlyMap<string, PageFile>> {
    this.files ??= readAll(this.folder);
    const files = await this.files;
    // If nothing is built yet, the next request tries again.
    if (files.size === 0) this.files = undefined;
    return files;
  }
}

async function readAll(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await namesIn(folder);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const type = TYPES[path.extname(name)];
    if (type === undefined) continue;
    const readVariant = (suffix: string): Promise<Buffer> => readFile(path.join(folder, name + suffix));
    const bodies: PageFile['bodies'] = { identity: await readVariant('') };
    for (const [encoding, suffix] of Object.entries(SUFFIXES)) {
      if (names.includes(name + suffix)) Object.assign(bodies, { [encoding]: await readVariant(suffix) });
    }
    files.set(name.split(path.sep).join('/'), { type, bodies });
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
