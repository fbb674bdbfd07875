import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { anchorOf, codeBlock, escapeHtml, scrollableBlock } from './markup.js';

/** A section that the search index lists separately. */
export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedDocument {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/**
 * Renders a document of the repository; HTML in it is escaped. `addressOf` maps a linked file to its URL; without a URL,
 * only the link text is rendered.
 */
export function renderMarkdown(
  file: string,
  text: string,
  addressOf: (file: string) => string | undefined,
): RenderedDocument {
  const target = (href: string): string | undefined => {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const [name = '', anchor] = href.split('#', 2);
    const address = addressOf(path.posix.join(path.posix.dirname(file), name));
    return address === undefined || anchor === undefined ? address : `${address}#${anchor}`;
  };
  const marked = new Marked({
    renderer: {
      html: ({ text: raw }) => escapeHtml(raw),
      code: ({ text: code, lang }) => codeBlock(code, lang ?? ''),
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const address = target(href);
        return address === undefined ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
      },
      image: ({ href, text: alt }) =>
        `<img src="${escapeHtml(target(href) ?? '')}" alt="${escapeHtml(alt)}" loading="lazy">`,
    },
  });
  // Leaves out comments: they name the tests behind a promise, for the people who write the documents.
  const tokens = marked.lexer(text.replaceAll(/ *<!--.*?-->/g, ''));
  const html = marked
    .parser(tokens)
    .replaceAll(/<thead>\s*<tr>\s*(<th[^>]*><\/th>\s*)+<\/tr>\s*<\/thead>/g, '')
    .replaceAll(/<th[^>]*><\/th>/g, '<td></td>')
    .replaceAll(/<table>[\s\S]*?<\/table>/g, scrollableBlock)
    .replace('</h1>', (end) => end + contentsOf(tokens));
  const title = tokens.find((token): token is Tokens.Heading => token.type === 'heading')?.text ?? file;
  return { title, html, sections: sectionsOf(tokens, title) };
}

// A page with fewer sections needs no table of contents.
const MIN_PARTS_FOR_CONTENTS = 3;

/** Renders links to the sections of a document; nothing if it has fewer than three. */
function contentsOf(tokens: readonly Token[]): string {
  const parts = tokens.filter(
    (token): token is Tokens.Heading => token.type === 'heading' && (token as Tokens.Heading).depth === 2,
  );
  if (parts.length < MIN_PARTS_FOR_CONTENTS) return '';
  const links = parts.map(
    ({ text }) => `<li><a href="#${anchorOf(text)}">${escapeHtml(plainText(text))}</a></li>`,
  );
  return `<nav aria-label="On this page"><ul class="contents">${links.join('')}</ul></nav>`;
}

function sectionsOf(tokens: readonly Token[], title: string): Section[] {
  const sections: { heading: string; anchor: string; text: string }[] = [
    { heading: title, anchor: '', text: '' },
  ];
  for (const token of tokens) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth > 1) {
      const heading = (token as Tokens.Heading).text;
      sections.push({ heading: plainText(heading), anchor: anchorOf(heading), text: '' });
    } else if (token.type !== 'heading') {
      const last = sections.at(-1);
      if (last) last.text += ` ${plainText(token.raw)}`;
    }
  }
  return sections;
}

/** Strips Markdown syntax, for the search index. */
const plainText = (raw: string): string =>
  raw
    .replaceAll(/\]\([^)]*\)/g, ' ')
    .replaceAll(/[`*|[\]#>]+|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const inline = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

/** Renders one sentence of a description. */
export const renderInline = (text: string): string => inline.parseInline(text, { async: false });

/** Renders the paragraphs of a description. */
export const renderText = (text: string): string => inline.parse(text, { async: false });
