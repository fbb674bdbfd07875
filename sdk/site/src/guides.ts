import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// The compiled file is in dist/sdk/site/src; tests run it from sdk/site/src.
const root = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../../../../', import.meta.url),
);

/** A document of the repository that is served as a page. */
export interface Guide {
  /** Relative to the root of the repository. */
  readonly file: string;
  readonly path: string;
  readonly group: string;
  readonly lang: Language;
  readonly text: string;
}

export type Language = 'en' | 'pt-BR';

/** The documents by reader, in menu order. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Begin: ['README.md', 'docs/integrating.md'],
  Integrate: [
    ...['docs/generated/sandbox.md', 'docs/webhooks.md', 'docs/sessions.md', 'docs/uploads.md'],
    ...['docs/hosted-page.md', 'docs/providers.md'],
    ...['sdk/node/README.md', 'sdk/python/README.md', 'sdk/go/README.md', 'sdk/cli/README.md'],
  ],
  Decide: [
    ...['docs/console.md', 'docs/reviews.md', 'docs/customers.md', 'docs/approvals.md', 'docs/scoring.md'],
    ...[
      'docs/writing-rules.md',
      'docs/rule-language.md',
      'docs/generated/rule-fields.md',
      'docs/generated/br-starter.md',
    ],
    ...[
      'docs/generated/typologies.md',
      'docs/streams.md',
      'docs/screening.md',
      'docs/search.md',
      'docs/coaf.md',
    ],
    ...['docs/canonical-forms.md', 'docs/dossiers.md'],
  ],
  Audit: ['docs/audit.md', 'docs/generated/asvs.md', 'docs/security-testing.md'],
  Run: [
    ...[
      'docs/running.md',
      'docs/production.md',
      'docs/generated/settings.md',
      'docs/operators.md',
      'docs/security.md',
    ],
    ...['docs/releases.md', 'docs/performance.md', 'docs/generated/system-work.md', 'docs/dependencies.md'],
  ],
  Change: [
    ...['CONTRIBUTING.md', 'docs/architecture.md', 'docs/generated/modules.md', 'docs/decisions.md'],
    ...['docs/glossary.md', 'docs/adr/README.md', 'SECURITY.md', 'CHANGELOG.md'],
  ],
  Português: [
    ...['docs/pt/README.md', 'docs/pt/integrating.md', 'docs/pt/webhooks.md', 'docs/pt/sessions.md'],
    ...['docs/pt/uploads.md', 'docs/pt/console.md', 'docs/pt/reviews.md', 'docs/pt/customers.md'],
    ...['docs/pt/coaf.md', 'docs/pt/writing-rules.md'],
  ],
};
/** All documents in these folders are pages, although the menu lists only their overview. */
const FOLDERS: Readonly<Record<string, string>> = { 'docs/adr': 'Change', 'docs/runbooks': 'Run' };
/**
 * Documents whose page has another path: the menu replaces docs/README.md, errors have their own page, and SECURITY.md
 * would collide with docs/security.md.
 */
const OTHER_PATHS: Readonly<Record<string, string>> = {
  'docs/README.md': '/developers',
  'docs/generated/errors.md': '/docs/errors',
  'SECURITY.md': '/developers/reporting',
};

export function readGuides(): readonly Guide[] {
  const listed = Object.entries(GROUPS).flatMap(([group, files]) => files.map((file) => ({ file, group })));
  const folderFiles = Object.entries(FOLDERS).flatMap(([folder, group]) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => ({ file: `${folder}/${name}`, group })),
  );
  return [...listed, ...folderFiles].map(({ file, group }) => ({
    file,
    group,
    path: pathOfGuide(file),
    lang: file.startsWith('docs/pt/') ? 'pt-BR' : 'en',
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
}

/** True if a document is in the menu. */
export const isListed = ({ file, group }: Guide): boolean => GROUPS[group]?.includes(file) ?? false;

/** Returns the path of a document's page. */
export const pathOfGuide = (file: string): string => OTHER_PATHS[file] ?? `/developers/${nameOf(file)}`;

const nameOf = (file: string): string =>
  file
    .replace(/^docs\/(generated\/)?/, '')
    .replace(/(\/?README)?\.md$/, '')
    .toLowerCase() || 'start';

/** Content types of files that documents embed or link to: pictures, and code samples. */
const ATTACHMENT_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.json': 'text/plain; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.php': 'text/plain; charset=utf-8',
  '.go': 'text/plain; charset=utf-8',
  '.java': 'text/plain; charset=utf-8',
  '.cs': 'text/plain; charset=utf-8',
};

export interface Attachment {
  readonly path: string;
  readonly type: string;
  readonly read: () => Buffer;
}

/** Returns the files in docs that documents link to. A requested name is a key of this map, never a file path. */
export function attachments(): ReadonlyMap<string, Attachment> {
  const attachmentByFile = new Map<string, Attachment>();
  for (const folder of ['docs', 'docs/console', 'docs/generated', 'docs/webhooks']) {
    for (const name of readdirSync(path.join(root, folder))) {
      const type = ATTACHMENT_TYPES[path.extname(name)];
      if (type === undefined) continue;
      const file = `${folder}/${name}`;
      const readContent = (): Buffer => readFileSync(path.join(root, file));
      attachmentByFile.set(file, {
        path: `/developers/files/${file.replace(/^docs\//, '')}`,
        type,
        read: readContent,
      });
    }
  }
  return attachmentByFile;
}

/** The style sheets and scripts of the pages and of Swagger UI. */
export const parts = ['pages.css', 'pages.js', 'swagger.css', 'swagger.js'] as const;
export type AssetName = (typeof parts)[number];

export const readAsset = (name: AssetName): Buffer => readFileSync(path.join(root, 'web/developers', name));
