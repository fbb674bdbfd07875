/** The code in `details` of the error: why a file is refused. */
export type FileFault =
  | 'TRUNCATED'
  | 'MALFORMED'
  | 'TRAILING_DATA'
  | 'VARIANT_UNSUPPORTED'
  | 'ANIMATED'
  | 'SECOND_FORMAT'
  | 'ACTIVE_CONTENT'
  | 'ENCRYPTED'
  | 'ATTACHMENTS'
  | 'TEST_VIRUS'
  | 'UNREADABLE'
  | 'TOO_MANY_PIXELS'
  | 'TOO_MANY_PAGES'
  | 'EXPANDS_TOO_MUCH';

const TOO_LARGE: ReadonlySet<FileFault> = new Set(['TOO_MANY_PIXELS', 'TOO_MANY_PAGES', 'EXPANDS_TOO_MUCH']);

export class FileRefusedError extends Error {
  /** `key` is the offending PDF name, such as `/JavaScript`: from a list in this service, never text of the file. */
  constructor(
    readonly finding: FileFault,
    readonly key: string | null = null,
  ) {
    super(key === null ? finding : `${finding} ${key}`);
    this.name = 'FileRefused';
  }

  get code(): 'FILE_TYPE_UNSUPPORTED' | 'FILE_TOO_LARGE' {
    return TOO_LARGE.has(this.finding) ? 'FILE_TOO_LARGE' : 'FILE_TYPE_UNSUPPORTED';
  }

  get text(): string {
    return this.key === null ? texts[this.finding] : `${texts[this.finding]} Found: ${this.key}.`;
  }
}

const texts: Readonly<Record<FileFault, string>> = {
  TRUNCATED: 'The file is cut off.',
  MALFORMED: 'The structure of the file cannot be read.',
  TRAILING_DATA: 'Something follows the end of the image or document.',
  VARIANT_UNSUPPORTED: 'This variant of the format is not accepted.',
  ANIMATED: 'Moving images are not accepted.',
  SECOND_FORMAT: 'The file is of another format at the same time.',
  ACTIVE_CONTENT: 'The file holds a script or an action.',
  ENCRYPTED: 'The document is protected with a password.',
  ATTACHMENTS: 'The document holds other files, or leads to them.',
  TEST_VIRUS: 'The file holds the EICAR test signature.',
  UNREADABLE: 'The file cannot be decoded.',
  TOO_MANY_PIXELS: 'The image has more pixels than are accepted.',
  TOO_MANY_PAGES: 'The document has more pages than are accepted.',
  EXPANDS_TOO_MUCH: 'The file expands to more than is accepted.',
};

/** The code of a Node.js error, such as `ENOENT`; undefined for any other error. */
export const fileErrorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;

export const isMissingFile = (error: unknown): boolean => fileErrorCode(error) === 'ENOENT';
