/** The types that a part may say that it is; browsers of some phones say octet-stream when they do not know. */
export const declaredTypes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/webp',
  'application/pdf',
  'application/octet-stream',
]);

const EXTENSIONS = new Set(['jpg', 'jpeg', 'jfif', 'png', 'webp', 'pdf']);
// Extensions that make some system run a file, wherever they stand in its name.
const RUNNABLE = new Set(
  (
    'asp aspx bat cgi cmd cpl dll docm exe hta htm html jar js jse jsp lnk mhtml mjs msi phar php php3 php5 phtml pif ' +
    'ps1 scr shtml svg svgz swf vbs wsf xhtml xlsm'
  ).split(' '),
);
const MAX_NAME_LENGTH = 255;

/**
 * Why the name of an uploaded file is refused, as a code, or null. Names are never used or kept; but one that tries to
 * lead out of a folder, hides its end or pretends to be something else does not come from a camera or a scanner.
 */
export function fileNameProblem(name: string): string | null {
  if (name === '') return null; // a blob of a page has none
  if (Buffer.byteLength(name) > MAX_NAME_LENGTH) return 'FILE_NAME_TOO_LONG';
  // Control characters, and those that turn the direction of writing around (CVE-2021-42574).

  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/.test(name)) {
    return 'FILE_NAME_CHARACTERS';
  }
  if (/[/\\]/.test(name) || name.startsWith('.') || name.includes('%00')) return 'FILE_NAME_PATH';
  const extensions = name
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((part) => part.trim());
  if (extensions.some((extension) => RUNNABLE.has(extension))) return 'FILE_NAME_EXTENSION';
  const last = extensions.at(-1);
  return last === undefined || EXTENSIONS.has(last) ? null : 'FILE_NAME_EXTENSION';
}
