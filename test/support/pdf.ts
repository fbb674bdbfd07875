import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  /** The lines that each page draws, in the order of the document. */
  readonly pages: readonly (readonly string[])[];
  /** The number of all pages, as it is printed on each of them. */
  readonly total: number;
}

/** A part of the structure of a tagged PDF. */
export interface TaggedPart {
  readonly type: string;
  /** The text of its own content, without that of the parts in it. */
  readonly text: string;
  /** The pages that its own content is on, from 1. */
  readonly pages: readonly number[];
  /** The words for who cannot see it. */
  readonly alt: string | null;
  /** The page that a link leads to. */
  readonly target: number | null;
  readonly kids: readonly TaggedPart[];
}

/** Reads what the pages of a PDF draw, by its own table of pages; a page that does not show the total is an error. */
export function readPdf(bytes: Buffer): ReadPdf {
  const file = new PdfFile(bytes);
  let total: string | undefined;
  const pages = file.pages.map((id) => {
    const content = file.contentOf(id);
    if (!content.includes('/TotalPages Do')) throw new Error('a page does not show the number of all pages');
    total = file.forms(id).get('TotalPages') ?? total;
    return linesOf(content);
  });
  return { pages, total: Number(total) };
}

/** The texts of a PDF, line by line. */
export const textOf = (bytes: Buffer): string => readPdf(bytes).pages.flat().join('\n');

/**
 * Reads the structure of a tagged PDF. What a page draws outside of it and not as an artifact is an error, and so is
 * content that belongs to nobody, or to somebody else than the page says.
 */
export function structureOf(bytes: Buffer): TaggedPart {
  const file = new PdfFile(bytes);
  const root = file.object(refIn(file.root, 'StructTreeRoot'));
  const drawn = new Map(file.pages.map((id) => [id, contentsOf(file.contentOf(id), file.forms(id))]));
  const parents = new Map(
    [...(/\/Nums\[([^\]]*)\]/.exec(root)?.[1] ?? '').matchAll(/(\d+) (\d+) 0 R/g)].map(
      ([, key = '', id = '']) => [key, id],
    ),
  );
  const seen = new Set<string>();
  const partOf = (id: string): TaggedPart => {
    const body = file.object(id);
    const own = /\/Pg (\d+) 0 R/.exec(body.slice(0, body.indexOf('/K[')))?.[1];
    let text = '';
    const pages: number[] = [];
    const kids: TaggedPart[] = [];
    let target: number | null = null;
    const inside = body.slice(body.indexOf('/K[') + 3, body.lastIndexOf(']'));
    for (const [kid] of inside.matchAll(/<<.*?>>|\d+ 0 R|\d+/g)) {
      const link = /\/Obj (\d+) 0 R/.exec(kid)?.[1];
      if (link !== undefined) {
        const annotation = file.object(link);
        const owner = parents.get(/\/StructParent (\d+)/.exec(annotation)?.[1] ?? '');
        if (owner !== id) throw new Error('a link does not find its part');
        target = file.pages.indexOf(/\/Dest \[(\d+) 0 R/.exec(annotation)?.[1] ?? '') + 1;
      } else if (kid.endsWith(' 0 R')) {
        kids.push(partOf(kid.split(' ')[0] ?? ''));
      } else {
        const page = /\/Pg (\d+) 0 R/.exec(kid)?.[1] ?? own ?? '';
        const mark = /\/MCID (\d+)/.exec(kid)?.[1] ?? kid;
        const key = /\/StructParents (\d+)/.exec(file.object(page))?.[1] ?? '';
        const owners = [...file.object(parents.get(key) ?? '').matchAll(/(\d+) 0 R/g)];
        if (owners[Number(mark)]?.[1] !== id) throw new Error('content does not find its part');
        seen.add(`${page} ${mark}`);
        text += drawn.get(page)?.get(mark) ?? '';
        pages.push(file.pages.indexOf(page) + 1);
      }
    }
    const alt = /\/Alt<([0-9a-f]*)>/.exec(body)?.[1];
    return {
      type: /\/S\/(\w+)/.exec(body)?.[1] ?? '',
      ...{ text, pages, target, kids },
      alt: alt === undefined ? null : Buffer.from(alt, 'hex').swap16().toString('utf16le').slice(1),
    };
  };
  const whole = partOf(/\/K\[(\d+) 0 R\]/.exec(root)?.[1] ?? '');
  for (const [page, marks] of drawn) {
    for (const mark of marks.keys()) {
      if (!seen.has(`${page} ${mark}`)) throw new Error(`content ${mark} of a page belongs to nobody`);
    }
  }
  return whole;
}

/** The part and all parts in it, in the order in which they are read. */
export const partsOf = (part: TaggedPart): TaggedPart[] => [part, ...part.kids.flatMap(partsOf)];

class PdfFile {
  private readonly objects = new Map<string, string>();
  /** The catalogue of the document. */
  readonly root: string;
  readonly pages: readonly string[];

  constructor(bytes: Buffer) {
    const text = bytes.toString('latin1');
    for (const [, id = '', body = ''] of text.matchAll(/(\d+) 0 obj\n([^]*?)\nendobj/g)) {
      this.objects.set(id, body);
    }
    this.root = this.object(refIn(text.slice(text.lastIndexOf('trailer')), 'Root'));
    const kids = /\/Kids \[([^\]]*)\]/.exec(this.object(refIn(this.root, 'Pages')))?.[1] ?? '';
    this.pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id = '']) => id);
  }

  object(id: string): string {
    const body = this.objects.get(id);
    if (body === undefined) throw new Error(`the PDF has no object ${id}`);
    return body;
  }

  contentOf(page: string): string {
    return inflated(this.object(refIn(this.object(page), 'Contents')));
  }

  /** The texts of the objects that a page shows by name. */
  forms(page: string): Map<string, string> {
    const resources = this.object(refIn(this.object(page), 'Resources'));
    const named = /\/XObject <<([^>]*)>>/.exec(resources)?.[1] ?? '';
    return new Map(
      [...named.matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name = '', id = '']) => {
        const body = this.object(id);
        return [name, body.includes('/Subtype /Form') ? linesOf(inflated(body)).join('') : ''];
      }),
    );
  }
}

const refIn = (body: string, name: string): string =>
  new RegExp(String.raw`/${name} (\d+) 0 R`).exec(body)?.[1] ?? '';

/** The texts of the marked content of a page, by its number; everything that is drawn must be marked. */
function contentsOf(content: string, forms: ReadonlyMap<string, string>): Map<string, string> {
  const texts = new Map<string, string>();
  let open: string | null = null;
  for (const line of content.split('\n')) {
    const mark = /\/MCID (\d+)>> BDC$/.exec(line)?.[1];
    if (mark !== undefined || line === '/Artifact BMC') {
      if (open !== null) throw new Error('a mark begins in another one');
      open = mark ?? 'artifact';
      if (mark !== undefined) texts.set(mark, '');
    } else if (line === 'EMC') {
      if (open === null) throw new Error('a mark ends that has not begun');
      open = null;
    } else if (/ (TJ ET|Do Q|S Q)$/.test(line)) {
      if (open === null) throw new Error(`drawn outside of the structure: ${line}`);
      const form = forms.get(/\/(\w+) Do Q$/.exec(line)?.[1] ?? '') ?? '';
      if (open !== 'artifact') texts.set(open, (texts.get(open) ?? '') + linesOf(line).join('') + form);
    }
  }
  if (open !== null) throw new Error('a mark does not end on its page');
  return texts;
}

function inflated(body: string | undefined): string {
  const stream = /stream\n([^]*?)\nendstream/.exec(body ?? '')?.[1];
  if (stream === undefined) throw new Error('an object of the PDF has no stream');
  return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
}

const linesOf = (content: string): string[] =>
  [...content.matchAll(/\[(.*?)\] TJ/g)].map(([, shown = '']) =>
    Buffer.concat(
      [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex')),
    ).toString('latin1'),
  );
