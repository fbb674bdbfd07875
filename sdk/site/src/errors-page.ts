import { renderInline, type Section } from './markdown.js';
import { escapeHtml } from './markup.js';

/** An error code of the API, as the pages explain it. */
export interface ErrorEntry {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly message: string;
  readonly remedy: string;
  /** True if integrators never get it. */
  readonly isOfOperators: boolean;
}

/** Renders /docs/errors; errors that only operators get are listed apart. */
export function renderErrorsPage(errors: readonly ErrorEntry[]): string {
  const groups = [
    ['integrators', 'What integrators meet', errors.filter(({ isOfOperators }) => !isOfOperators)],
    ['operators', 'What only operators meet', errors.filter(({ isOfOperators }) => isOfOperators)],
  ] as const;
  const body = groups.map(
    ([id, title, listed]) =>
      `<h2 id="${id}">${title}</h2><ul class="contents">${listed
        .map(({ code }) => `<li><a href="#${code}"><code>${code}</code></a></li>`)
        .join('')}</ul>${listed.map(sectionOf).join('\n')}`,
  );
  return `<h1>Errors</h1><p>Every error answer has the form <code>{"data": null, "error": {...}}</code>; ask with
<code>Accept: application/problem+json</code> for RFC 9457.</p>${body.join('\n')}`;
}

const sectionOf = ({ code, status, retryable, message, remedy }: ErrorEntry): string =>
  `<section id="${code}"><h3>${status} <code>${code}</code></h3><p>${escapeHtml(message)}</p>` +
  `<p><b>What to do:</b> ${renderInline(remedy)}</p><p><b>Retryable:</b> ${retryable ? 'yes' : 'no'}</p></section>`;

/** Returns the sections of /docs/errors for the search index. */
export const errorSections = (errors: readonly ErrorEntry[]): Section[] =>
  errors.map(({ code, status, message, remedy }) => ({
    heading: code,
    anchor: code,
    text: `${status} ${message} ${remedy.replaceAll('`', '')}`,
  }));
