/** Escapes a text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the anchor of a heading by GitHub's rules: small letters, no punctuation, hyphens for spaces. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Renders a code block; the page's script adds a copy button. */
export const codeBlock = (code: string, language: string): string =>
  `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(code)}</code></pre>`;

/** Makes a wide table scrollable within the page, with the keyboard or a pointer. */
export const scrollableBlock = (table: string): string =>
  `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>`;
