import { errorCodes, type ErrorDefinition } from './kernel/index.js';

const rows = (): [string, ErrorDefinition][] =>
  Object.entries(errorCodes).sort(([a, x], [b, y]) => x.status - y.status || a.localeCompare(b));

/** The page at /docs/errors, from the one registry of codes. */
export function errorsPage(serviceName: string): string {
  const body = rows()
    .map(
      ([code, { status, retryable, message, remedy }]) =>
        `<section id="${code}"><h2>${status} <code>${code}</code></h2><p>${escape(message)}</p>` +
        `<p><b>What to do:</b> ${markup(remedy)}</p><p><b>Retryable:</b> ${retryable ? 'yes' : 'no'}</p></section>`,
    )
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${serviceName} errors</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
code{background:#f2f2f2;padding:0 .3em}h2{font-size:1.1rem;margin-top:2rem}section:target{background:#fffbe0}</style></head>
<body><h1>${serviceName} errors</h1><p>Every error answer has the form <code>{"data": null, "error": {...}}</code>; ask with
<code>Accept: application/problem+json</code> for RFC 9457. <a href="/docs">API documentation</a></p>${body}</body></html>`;
}

/** docs/errors.md, from the same registry. */
export function errorsMarkdown(): string {
  const table = rows().map(
    ([code, { status, retryable, message, remedy }]) =>
      `| ${status} | \`${code}\` | ${retryable ? 'yes' : 'no'} | ${message} | ${remedy} |`,
  );
  return [
    '# Errors',
    '',
    'Generated from `src/kernel/error-codes.ts` by `npm run docs`. Codes are stable; texts may be improved.',
    '',
    '| HTTP | code | retryable | meaning | what to do |',
    '|---|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const markup = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
