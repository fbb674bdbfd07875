import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import { errorSections, renderErrorsPage, type ErrorEntry } from './errors-page.js';
import {
  attachments,
  isListed,
  parts,
  pathOfGuide,
  readGuides,
  readAsset,
  type AssetName,
  type Guide,
  type Language,
} from './guides.js';
import { pageWithFrame, type MenuEntry, type PageFrame } from './layout.js';
import { renderMarkdown, type RenderedDocument, type Section } from './markdown.js';
import { escapeHtml } from './markup.js';
import { postmanCollection } from './postman.js';
import { operationPage, operationsOf, referenceIndex } from './reference.js';

/** A file that is served under one path. */
export interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
  /** Compresses on first use; null if the content is already compressed. */
  readonly gzip: (() => Buffer) | null;
  /** True if the URL contains a hash of the content. */
  readonly isFixed: boolean;
}

export interface IndexedSection {
  readonly path: string;
  readonly lang: Language;
  readonly page: string;
  readonly heading: string;
  readonly begin: string;
  readonly words: string;
}

interface Page extends MenuEntry {
  readonly html: string;
  readonly sections: readonly Section[];
}

const HTML = 'text/html; charset=utf-8';

export interface DeveloperPagesOptions {
  readonly service: string;
  readonly baseUrl: string;
  /** True if /health is on the same port as these pages. */
  readonly hasHealth: boolean;
  /** In the order of the page. */
  readonly errors: readonly ErrorEntry[];
}

/** Returns all files of the developer pages by path. Built once and kept in memory. */
export function buildDeveloperPages(
  document: OpenAPIObject,
  { service, baseUrl, hasHealth, errors }: DeveloperPagesOptions,
): ReadonlyMap<string, ServedFile> {
  const guides = readGuides();
  const files = attachments();
  const addressOf = (file: string): string | undefined =>
    guides.some((guide) => guide.file === file) || /^docs\/(README|errors)\.md$/.test(file)
      ? pathOfGuide(file)
      : files.get(file)?.path;
  const rendered = guides.map((guide) => pageOf(guide, renderMarkdown(guide.file, guide.text, addressOf)));
  const served = new Map<string, ServedFile>();
  for (const name of parts) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    served.set(`/developers/${name}`, servedFile(`${type}; charset=utf-8`, readAsset(name), true));
  }
  for (const { path, type, read } of files.values()) served.set(path, servedFile(type, read()));

  const listed = new Set(guides.filter(isListed).map(({ path }) => path));
  const menu = rendered.filter(({ path }) => listed.has(path));
  const frame: PageFrame = {
    ...{ service, menu },
    ...{ style: assetPath('pages.css'), script: assetPath('pages.js') },
  };
  const pages = [
    homePage(service, hasHealth),
    ...rendered,
    ...referencePages(document, baseUrl),
    {
      path: '/docs/errors',
      title: 'Errors',
      group: '',
      html: renderErrorsPage(errors),
      sections: errorSections(errors),
    },
  ];
  for (const { path, title, html, lang } of pages) {
    const file = servedFile(HTML, pageWithFrame(frame, path, title, html, lang));
    served.set(path, file);
    if (path === '/developers') served.set('/', file);
  }
  served.set(AS_JSON, servedFile('application/json', JSON.stringify(startAnswer(service, hasHealth))));
  served.set(
    '/developers/search.json',
    servedFile(
      'application/json',
      JSON.stringify({
        sections: pages.flatMap((page) => [...indexSections(page)]),
        english: englishTerms(guides),
      }),
    ),
  );
  const collection = postmanCollection(document, operationsOf(document), baseUrl);
  served.set('/developers/postman.json', servedFile('application/json', JSON.stringify(collection, null, 2)));
  served.set('/llms.txt', servedFile('text/plain; charset=utf-8', llmsText(service, menu, baseUrl)));
  served.set(NOT_FOUND, servedFile(HTML, pageWithFrame(frame, '', 'Not found', NO_SUCH_PAGE)));
  return served;
}

/** The map key of the page for unknown addresses. */
export const NOT_FOUND = 'not found';
/** The map key of the start page for clients that accept only JSON. */
export const AS_JSON = 'as JSON';
const NO_SUCH_PAGE =
  '<h1>There is no such page</h1><p>Look in the menu, search, or begin at the <a href="/developers">start</a>.</p>';

const servedFile = (type: string, content: string | Buffer, isFixed = false): ServedFile => {
  const body = Buffer.from(content);
  let zipped: Buffer | undefined;
  const gzip = (): Buffer => (zipped ??= gzipSync(body));
  return { type, body, isFixed, gzip: type.startsWith('image/') ? null : gzip };
};

/** Returns the path of a style sheet or script, with a hash of its content. */
export function assetPath(name: AssetName): string {
  const version = createHash('sha256').update(readAsset(name)).digest('hex').slice(0, 12);
  return `/developers/${name}?v=${version}`;
}

/** Menu titles that differ from the titles of the documents. */
const TITLES: Readonly<Record<string, string>> = {
  'README.md': 'Quick start',
  'docs/pt/README.md': 'Primeiros passos',
  'sdk/node/README.md': 'Client for TypeScript',
  'sdk/python/README.md': 'Client for Python',
  'sdk/go/README.md': 'Client for Go',
  'sdk/cli/README.md': 'The command line',
};

const pageOf = (guide: Guide, { title, html, sections }: RenderedDocument): Page => ({
  path: guide.path,
  group: guide.group,
  lang: guide.lang,
  title: TITLES[guide.file] ?? title,
  html,
  sections,
});

function referencePages(document: OpenAPIObject, baseUrl: string): Page[] {
  const operations = operationsOf(document);
  const group = 'Reference';
  return [
    {
      ...{ path: '/developers/reference', title: 'API reference', group },
      html: referenceIndex(document, operations),
      sections: [],
    },
    ...operations.map((operation) => ({
      path: `/developers/reference/${operation.id}`,
      title: operation.summary,
      group,
      html: operationPage(document, operation, baseUrl),
      sections: [
        {
          heading: operation.summary,
          anchor: '',
          text: `${operation.method} ${operation.path} ${operation.description}`,
        },
      ],
    })),
  ];
}

const CARDS: readonly (readonly [path: string, title: string, words: string])[] = [
  ['/developers/start', 'Quick start', 'Two commands and six steps, from a transaction to a verified audit.'],
  [
    '/developers/integrating',
    'Integrating',
    'Calls to copy with their answers, routes, verdicts, applications.',
  ],
  ['/developers/reference', 'API reference', 'Every route, with curl and the three clients.'],
  ['/developers/sandbox', 'Scenarios', 'Ask the sandbox for a hold, a challenge, a hit, a failure.'],
  [
    '/developers/webhooks',
    'Events and webhooks',
    'What is told, how it is signed, what to do after being away.',
  ],
  ['/developers/integrating#verdicts', 'Verdicts', 'What to do with a transaction, and when.'],
  ['/docs/errors', 'Errors', 'Every code, and what to do about it.'],
  ['/developers/sdk/node', 'Client for TypeScript', 'Also for Python and Go, and a command line.'],
  ['/developers/changelog', 'Changelog', 'What an integrator or an operator notices.'],
  ['/docs', 'Integrator API', 'Try the calls in Swagger UI.'],
  ['/operator/docs', 'Operator API', 'Log in there, and try the calls of operators.'],
  ['/console', 'The console', 'Where analysts and officers work.'],
  ['/llms.txt', 'llms.txt', 'These pages as a list for programs that read.'],
];

const HEALTH_CARD = ['/health/ready', 'Health', 'Whether the service is ready, and what is not.'] as const;
const cardsOf = (hasHealth: boolean): typeof CARDS => (hasHealth ? [...CARDS, HEALTH_CARD] : CARDS);

/** The JSON response of `/`: the main paths. */
const startAnswer = (service: string, hasHealth: boolean): object => ({
  data: {
    service,
    documents: ['/openapi.json', '/operator/openapi.json'],
    pages: cardsOf(hasHealth).map(([path, title, about]) => ({ path, title, about })),
  },
  error: null,
});

const homePage = (service: string, hasHealth: boolean): Page => ({
  ...{ path: '/developers', title: 'Developers', group: '', sections: [] },
  html: `<h1>${escapeHtml(service)} for developers</h1>
<p>Submit a transaction and get an acknowledgement that is never lost. Read, or be told by a signed webhook, what to do with it: release, challenge, hold or decline. A missing input is never a zero, and every decision has a trail that an outsider can verify.</p>
<ul class="cards">${cardsOf(hasHealth)
    .map(([path, title, words]) => `<li><a href="${path}"><b>${title}</b><span>${words}</span></a></li>`)
    .join('')}</ul>`,
});

const BEGIN_LENGTH = 140;

function* indexSections({ path, title, sections, lang = 'en' }: Page): Generator<IndexedSection> {
  for (const { heading, anchor, text } of sections) {
    const words = searchable(text);
    yield {
      path: anchor === '' ? path : `${path}#${anchor}`,
      lang,
      page: title,
      heading,
      begin: text.trim().slice(0, BEGIN_LENGTH),
      words: [...new Set(words.split(/[^\p{L}\p{N}_]+/u))].join(' '),
    };
  }
}

/** Returns the English words for the Portuguese ones of the glossary, both without accents and in lower case. */
function englishTerms(guides: readonly Guide[]): Readonly<Record<string, string>> {
  const glossary = guides.find(({ file }) => file === 'docs/glossary.md');
  if (!glossary) throw new Error('The glossary is no page.');
  const { text } = glossary;
  const rows = text.slice(text.indexOf('| English | Português |')).matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
  const termsOf = (cell: string | undefined): string[] =>
    searchable((cell ?? '').replaceAll(/\([^)]*\)/g, ''))
      .split(',')
      .map((term) => term.trim());
  return Object.fromEntries(
    [...rows].flatMap(([, english, portuguese]) => {
      const words = termsOf(english);
      return termsOf(portuguese).map((term, at) => [term, words[at] ?? words[0] ?? term]);
    }),
  );
}

const searchable = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function llmsText(service: string, menu: readonly Page[], baseUrl: string): string {
  const groups = [...new Set(menu.map(({ group }) => group))];
  return [
    `# ${service}`,
    '',
    '> Risk monitoring of transactions (KYT) and verification of people (KYC), run by the institution itself.',
    ...groups.flatMap((group) => [
      '',
      `## ${group}`,
      '',
      ...menu
        .filter((one) => one.group === group)
        .map(({ title, path }) => `- [${title}](${baseUrl}${path})`),
    ]),
    '',
    '## Reference',
    '',
    `- [API reference](${baseUrl}/developers/reference)`,
    `- [OpenAPI document](${baseUrl}/openapi.json)`,
    `- [Errors](${baseUrl}/docs/errors)`,
    '',
  ].join('\n');
}
