import type { ErrorDetail } from '../../kernel/index.js';

// Runs only for refused bodies: the error of JSON.parse has no reliable position, and its message may quote the body.

type Position = NonNullable<ErrorDetail['position']>;

/** Returns the position of a byte of a body, in UTF-16 units. */
export function positionOfByte(bytes: Buffer, at: number): Position {
  const before = bytes.toString('utf8', 0, at);
  const lastBreak = before.lastIndexOf('\n');
  const line = before.split('\n').length;
  return { start: before.length, end: before.length, line, column: before.length - lastBreak };
}

const TOKEN = {
  blank: /[ \t\n\r]*/y,
  text: /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y,
  scalar: /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y,
} as const;

type ExpectedToken = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing';

/** Returns the offset of the first byte at which a body is not valid JSON. */
export function syntaxFaultAt(bytes: Buffer): number {
  // With latin1, one character is one byte, so that indices are byte offsets. The syntax of JSON is ASCII.
  const text = bytes.toString('latin1');
  const open: string[] = [];
  let awaited: ExpectedToken = 'value';
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
  for (;;) {
    at = endOf(TOKEN.blank, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined || awaited === 'nothing') return at;
    const closes = sign === (open.at(-1) === '{' ? '}' : ']');
    if (awaited === ':') {
      if (sign !== ':') return at;
      awaited = 'value';
    } else if (awaited === ', or end') {
      if (closes) open.pop();
      else if (sign !== ',') return at;
      awaited = closes ? expectedAfterValue(open) : open.at(-1) === '{' ? 'key' : 'value';
    } else if (closes && (awaited === 'key or }' || awaited === 'value or ]')) {
      open.pop();
      awaited = expectedAfterValue(open);
    } else if (awaited === 'key' || awaited === 'key or }') {
      const end = endOf(TOKEN.text, text, at);
      if (end === null) return at;
      at = end - 1;
      awaited = ':';
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      awaited = sign === '{' ? 'key or }' : 'value or ]';
    } else {
      const end = endOf(sign === '"' ? TOKEN.text : TOKEN.scalar, text, at);
      if (end === null) return at;
      at = end - 1;
      awaited = expectedAfterValue(open);
    }
    at += 1;
  }
}

const expectedAfterValue = (open: readonly string[]): ExpectedToken =>
  open.length === 0 ? 'nothing' : ', or end';

function endOf(token: RegExp, text: string, at: number): number | null {
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : null;
}
