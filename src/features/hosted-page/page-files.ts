import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Encoding = 'br' | 'gzip' | 'identity';

/** One file of the built page, as it is and compressed by the build. */
export interface PageFile {
  readonly type: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
/** The content of an answer with a part of a page, for the OpenAPI documents. */
export const ASSET_CONTENT = {
  content: {
    'text/javascript': { schema: { type: 'string' } },
    'text/css': { schema: { type: 'string' } },
    'image/svg+xml': { schema: { type: 'string' } },
    'application/wasm': { schema: { type: 'string', format: 'binary' } },
  },
} as const;
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
const PAGE = 'index.html';

// Compiled, this file lies in dist/src/features/hosted-page, in the tests in src/features/hosted-page.
const root = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../../../', import.meta.url);

/**
 * The files that `npm run build` made of one page, read once and kept in memory. A name is looked up among these and
 * never becomes a path.
 */
export class PageFiles {
  private readonly folder: string;
  private files: Promise<ReadonlyMap<string, PageFile>> | undefined;

  /** The folder of the build, from the root of the repository, with a slash at its end. */
  constructor(folder: string) {
    this.folder = fileURLToPath(new URL(folder, root));
  }

  /** The page itself; null when it was not built. */
  async page(): Promise<PageFile | null> {
    return (await this.all()).get(PAGE) ?? null;
  }

  /** A script, a style sheet or another part of the page; null when it has none of this name. */
  async asset(name: string): Promise<PageFile | null> {
    return (await this.all()).get(`assets/${name}`) ?? null;
  }

  private async all(): Promise<ReadonlyMap<string, PageFile>> {
    this.files ??= readAll(this.folder);
    const files = await this.files;
    // Not built yet: the next request looks again.
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
    const read = (suffix: string): Promise<Buffer> => readFile(path.join(folder, name + suffix));
    const bodies: PageFile['bodies'] = { identity: await read('') };
    for (const [encoding, suffix] of Object.entries(SUFFIXES)) {
      if (names.includes(name + suffix)) Object.assign(bodies, { [encoding]: await read(suffix) });
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
