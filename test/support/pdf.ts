import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  /** The lines that each page draws, in the order of the document. */
  readonly pages: readonly (readonly string[])[];
  /** The number of all pages, as it is printed on each of them. */
  readonly total: number;
}

/** Reads what the pages of a PDF draw, by its own table of pages; a page that does not show the total is an error. */
export function readPdf(bytes: Buffer): ReadPdf {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([^]*?)\nendobj/g)) {
    objects.set(id, body);
  }
  const tree = [...objects.values()].find((body) => body.includes('/Type /Pages'));
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(tree ?? '')?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  let total: string | undefined;
  const pages = kids.map(([, id = '']) => {
    const page = objects.get(id) ?? '';
    const content = inflated(objects.get(/\/Contents (\d+) 0 R/.exec(page)?.[1] ?? ''));
    if (!content.includes('/TotalPages Do')) throw new Error('a page does not show the number of all pages');
    const resources = objects.get(/\/Resources (\d+) 0 R/.exec(page)?.[1] ?? '') ?? '';
    total = /\/TotalPages (\d+) 0 R/.exec(resources + page)?.[1] ?? total;
    return linesOf(content);
  });
  const drawn = /\((\d+)\) Tj/.exec(inflated(objects.get(total ?? '')));
  return { pages, total: Number(drawn?.[1]) };
}

/** The texts of a PDF, line by line. */
export const textOf = (bytes: Buffer): string => readPdf(bytes).pages.flat().join('\n');

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
