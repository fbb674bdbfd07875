/** Text as it stands in HTML, in an attribute too. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Headings become anchors as GitHub makes them: small letters, without signs, hyphens for blanks. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** A piece of code that can be copied. */
export const codeBlock = (code: string, language: string): string =>
  `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(code)}</code></pre>`;

/** Wide tables scroll by themselves, also by keys. */
export const scrolling = (table: string): string =>
  `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>`;
