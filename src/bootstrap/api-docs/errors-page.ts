import { errorCodes, type ErrorCode, type ErrorDefinition } from '../../platform/kernel/index.js';
import { renderInline, type Section } from './pages/markdown.js';
import { escapeHtml } from './pages/markup.js';

const sortedErrors = (): [ErrorCode, ErrorDefinition][] =>
  (Object.entries(errorCodes) as [ErrorCode, ErrorDefinition][]).sort(
    ([a, x], [b, y]) => x.status - y.status || a.localeCompare(b),
  );

/** Renders /docs/errors from the registry of error codes; codes in `ofOperators` are listed apart. */
export function renderErrorsPage(ofOperators: ReadonlySet<ErrorCode>): string {
  const all = sortedErrors();
  const groups = [
    ['integrators', 'What integrators meet', all.filter(([code]) => !ofOperators.has(code))],
    ['operators', 'What only operators meet', all.filter(([code]) => ofOperators.has(code))],
  ] as const;
  const body = groups.map(
    ([id, title, codes]) =>
      `<h2 id="${id}">${title}</h2><ul class="contents">${codes
        .map(([code]) => `<li><a href="#${code}"><code>${code}</code></a></li>`)
        .join('')}</ul>${codes.map(sectionOf).join('\n')}`,
  );
  return `<h1>Errors</h1><p>Every error answer has the form <code>{"data": null, "error": {...}}</code>; ask with
<code>Accept: application/problem+json</code> for RFC 9457.</p>${body.join('\n')}`;
}

const sectionOf = ([code, { status, retryable, message, remedy }]: [ErrorCode, ErrorDefinition]): string =>
  `<section id="${code}"><h3>${status} <code>${code}</code></h3><p>${escapeHtml(message)}</p>` +
  `<p><b>What to do:</b> ${renderInline(remedy)}</p><p><b>Retryable:</b> ${retryable ? 'yes' : 'no'}</p></section>`;

/** Returns the sections of /docs/errors for the search index. */
export const errorSections = (): Section[] =>
  sortedErrors().map(([code, { status, message, remedy }]) => ({
    heading: code,
    anchor: code,
    text: `${status} ${message} ${remedy.replaceAll('`', '')}`,
  }));

/** Renders docs/generated/errors.md from the same registry. */
export function renderErrorsMarkdown(): string {
  const table = sortedErrors().map(
    ([code, { status, retryable, message, remedy }]) =>
      `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} | ${remedy} |`,
  );
  return [
    '# Errors',
    '',
    'Generated from `src/platform/kernel/error-codes.ts` by `npm run docs`. Codes are stable; texts may be improved.',
    '',
    '| HTTP | code | retryable | meaning | what to do |',
    '|---|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
}
