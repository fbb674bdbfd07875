import { constants, deflateRawSync, deflateSync } from 'node:zlib';

/** A document made for a test. */
export interface MadePdf {
  readonly name: string;
  readonly file: Buffer;
}

/** One that must be refused: with `key`, if it is told by one. */
export interface HostilePdf extends MadePdf {
  readonly finding: string;
  readonly key: string | null;
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The body of an object, or a whole object; `of` numbers them. */
type Body = string | Buffer;

interface Options {
  readonly catalogue?: string;
  readonly page?: string;
  readonly info?: string;
  /** The operators of the page, which are not compressed. */
  readonly content?: string;
  readonly trailer?: string;
  /** Stands between the head and the first object. */
  readonly head?: string;
}

/** A document of one page; `more` are its objects from 6 on, and the table is right. */
export function aDocument(more: readonly Body[] = [], options: Options = {}): Buffer {
  const { catalogue = '', page = '', info = '', content = 'q Q', trailer = '', head = '' } = options;
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R ${page} >>`,
    stream('', latin1(content)),
    `<< /Producer (Test) ${info} >>`,
    ...more,
  ];
  return written(
    `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${head}`,
    new Map(bodies.map((body, i) => [i + 1, body])),
    trailer,
  );
}

/** The document with a further revision, which writes these objects (again). */
export function updated(file: Buffer, objects: ReadonlyMap<number, Body>): Buffer {
  const [, previous = ''] = /startxref\n(\d+)\n%%EOF\n$/.exec(file.toString('latin1')) ?? [];
  return Buffer.concat([file, written('', objects, `/Prev ${previous}`, file.length)]);
}

function written(head: string, objects: ReadonlyMap<number, Body>, trailer: string, offset = 0): Buffer {
  const parts: Buffer[] = [latin1(head)];
  let at = offset + head.length;
  const sections: string[] = [];
  for (const [number, body] of objects) {
    const part = Buffer.concat([
      latin1(`${number} 0 obj\n`),
      Buffer.isBuffer(body) ? body : latin1(body),
      latin1('\nendobj\n'),
    ]);
    sections.push(`${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
    at += part.length;
    parts.push(part);
  }
  const size = Math.max(...objects.keys()) + 1;
  const table =
    `xref\n0 1\n0000000000 65535 f \n${sections.join('')}` +
    `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, latin1(table)]);
}

const stream = (dictionary: string, body: Buffer, before = ''): Buffer =>
  Buffer.concat([
    latin1(`<< /Length ${body.length} ${dictionary} >>${before}\nstream\n`),
    body,
    latin1('\nendstream'),
  ]);

/**
 * A document as programs have written them since 2003: its objects are packed, and its table is a stream, predicted. The
 * content of its page stands beside them; `text` is an object in it, and `leadsTo` the number of the one that the table
 * has there.
 */
export function aPackedDocument(
  more: readonly string[],
  { remark = '', text = '9 0 obj << /JS (x) >> endobj', leadsTo = -1 } = {},
): Buffer {
  const numbers = { container: more.length + 4, content: more.length + 5 };
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${numbers.content} 0 R >>`,
    ...more,
  ];
  let offset = 0;
  const heads = bodies.map((body, i) => {
    const head = `${i + 1} ${offset}`;
    offset += body.length + 1;
    return head;
  });
  const first = heads.join(' ').length + 1;
  const plain = latin1(`${heads.join(' ')}\n${bodies.join('\n')}`);
  const head = latin1('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n');
  const dictionary = `/Type /ObjStm /N ${bodies.length} /First ${first} /Filter /FlateDecode`;
  const whole = (number: number, body: Buffer): Buffer =>
    Buffer.concat([latin1(`${number} 0 obj\n`), body, latin1('\nendobj\n')]);
  const packed = whole(numbers.container, stream(dictionary, deflateSync(plain), remark));
  const content = whole(numbers.content, stream('', latin1(`BT (${text}) Tj ET`)));
  const at = head.length + packed.length + content.length;
  const rows = [
    [0, 0, 0],
    ...bodies.map((_, i) => [2, numbers.container, i]),
    [1, head.length, 0],
    [1, head.length + packed.length, 0],
    [1, at, 0],
  ];
  if (leadsTo !== -1) rows[leadsTo] = [1, head.length + packed.length + content.indexOf(text), 0];
  const bytes = rows.map(([type = 0, field = 0, index = 0]) => [type, field >> 8, field & 0xff, index]);
  // The second predictor of PNG: each row says how it differs from the one above.
  const predicted = bytes.flatMap((row, i) => [
    2,
    ...row.map((byte, j) => (byte - (bytes[i - 1]?.[j] ?? 0)) & 0xff),
  ]);
  const table = stream(
    `/Type /XRef /W [1 2 1] /Size ${rows.length} /Root 1 0 R /Filter /FlateDecode ` +
      '/DecodeParms << /Predictor 12 /Columns 4 >>',
    deflateSync(Buffer.from(predicted)),
  );
  return Buffer.concat([
    head,
    packed,
    content,
    whole(numbers.content + 1, table),
    latin1(`startxref\n${at}\n%%EOF\n`),
  ]);
}

/** The keys that no document may hold, as they are named, and the members of a dictionary that hold them. */
const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['/JavaScript', '/S /JavaScript'],
  ['/JS', '/JS (app.alert\\(1\\))'],
  ['/JavaScript', '/JavaScript << /Names [(a) 4 0 R] >>'],
  ['/Launch', '/Type /Action /S /Launch /F (cmd.exe)'],
  ['/Launch', '/A << /S /Launch /Win << /F (cmd.exe) >> >>'],
  ['/SubmitForm', '/S /SubmitForm /F (https://example.com)'],
  ['/ImportData', '/S /ImportData /F (a.fdf)'],
  ['/GoToE', '/S /GoToE /D [0 /Fit]'],
  ['/GoToR', '/S /GoToR /F (a.pdf) /D [0 /Fit]'],
  ['/Rendition', '/S /Rendition /OP 0'],
  ['/Movie', '/S /Movie /Operation /Play'],
  ['/Sound', '/S /Sound /Sound 4 0 R'],
  ['/GoTo3DView', '/S /GoTo3DView /V /F'],
  ['/RichMediaExecute', '/S /RichMediaExecute'],
  ['/RichMedia', '/Type /Annot /Subtype /RichMedia'],
  ['/Screen', '/Type /Annot /Subtype /Screen'],
  ['/3D', '/Type /Annot /Subtype /3D'],
  ['/FileAttachment', '/Type /Annot /Subtype /FileAttachment'],
  ['/EmbeddedFile', '/Type /EmbeddedFile'],
  ['/EmbeddedFiles', '/EmbeddedFiles << /Names [] >>'],
  ['/EF', '/Type /Filespec /EF << /F 4 0 R >>'],
  ['/Collection', '/Collection << >>'],
  ['/XFA', '/XFA 4 0 R'],
  ['/OpenAction', '/OpenAction << /S /URI /URI (https://example.com) >>'],
  ['/OpenAction', '/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next << /S /Named /N /Print >> >>'],
  ['/OpenAction', '/OpenAction 1 0 R'],
  ['/AA', '/AA << /O << /S /Named /N /Print >> >>'],
  ['/AA', '/AA << /WC 1 0 R >>'],
  ['/URI', '/S /URI /URI (javascript:app.alert\\(1\\))'],
  ['/URI', '/A << /S /URI /URI ( JavaScript\t: 1) >>'],
  ['/URI', '/S /URI /URI (java\\163cr\\\nipt:1)'],
  ['/URI', '/S /URI /URI <6A 61 76 61 0A 73 63 72 69 70 74 3A 31>'],
  ['/URI', '/S /URI /URI <FEFF006A006100760061007300630072006900700074003A0031>'],
  ['/URI', '/S /URI /URI (data:text;base64,PHNjcmlwdD4=)'],
  ['/URI', '/S /URI /URI (file:a.exe)'],
  ['/Base', '/URI << /Base (javascript:) >>'],
  ['/Requirements', '/Requirements [<< /S /EnableJavaScripts /RH << /S /JS /Script (a) >> >>]'],
  ['/RH', '/S /EnableJavaScripts /RH << /S /JS /Script (a) >>'],
  ['/Requirement', '/Type /Requirement /S /EnableJavaScripts'],
  ['/ReqHandler', '/Type /ReqHandler /S /JS'],
  ['/AlternatePresentations', '/AlternatePresentations << /Names [] >>'],
  ['/SlideShow', '/Type /SlideShow /Subtype /Embedded'],
  ['/Renditions', '/Renditions << /Names [] >>'],
  ['/S', '/S (Launch) /F (cmd.exe)'],
  ['/Subtype', '/Subtype <4D6F766965>'],
];

const finding = (key: string): string =>
  ['/EmbeddedFile', '/EmbeddedFiles', '/EF', '/Collection', '/FileAttachment', '/F'].includes(key)
    ? 'ATTACHMENTS'
    : key === '/Encrypt'
      ? 'ENCRYPTED'
      : 'ACTIVE_CONTENT';

/** Every name with each of its letters, or one of them, in hexadecimal. */
const escaped = (text: string, every: boolean): string =>
  text.replace(/\/([A-Za-z0-9]+)/g, (_, name: string) => {
    const letters = [...name].map((letter, i) =>
      every || i === 1 || name.length === 1 ? `#${letter.charCodeAt(0).toString(16)}` : letter,
    );
    return `/${letters.join('')}`;
  });

const TRICKY = '(a \\) string ( of >> stream endobj \\\\) and % more)';

/** Where a forbidden dictionary is put. */
const PLACES: readonly (readonly [string, (members: string) => Buffer])[] = [
  ['plainly', (it) => aDocument([`<< ${it} >>`])],
  ['in the catalogue', (it) => aDocument([], { catalogue: it })],
  ['in the page', (it) => aDocument([], { page: `/Annots [<< ${it} >>]` })],
  ['without any space', (it) => aDocument([`<</T<>${it.replaceAll(' /', '/')}>>`])],
  ['after a comment', (it) => aDocument([`% harmless >> stream\n<< % >> stream\n${it} >>`])],
  ['after a comment with a carriage return', (it) => aDocument([`<< /T 1 %>> stream\r${it} >>`])],
  ['after a comment in the file', (it) => aDocument([`<< ${it} >>`], { head: '%>> stream\n%(\n' })],
  ['after a string', (it) => aDocument([`<< /T ${TRICKY} ${it} >>`])],
  ['after a string of an unclosed bracket', (it) => aDocument([`<< /T (\\() ${it} /U (\\)) >>`])],
  ['after a hexadecimal string', (it) => aDocument([`<< /T <3E3E> ${it} >>`])],
  ['under escaped names', (it) => aDocument([`<< ${escaped(it, true)} >>`])],
  ['under a name with one escape', (it) => aDocument([`<< ${escaped(it, false)} >>`])],
  ['deep in lists', (it) => aDocument([`[[[ << /K [[ << ${it} >> ]] >> ]]]`])],
  ['in an object stream', (it) => aPackedDocument([`<< ${it} >>`])],
  ['under escapes in an object stream', (it) => aPackedDocument([`<< /T ${TRICKY} ${escaped(it, true)} >>`])],
  ['in an object stream after a remark', (it) => aPackedDocument([`<< ${it} >>`], { remark: ' % a remark' })],
  ['in a revision', (it) => updated(aDocument(), new Map([[6, `<< ${it} >>`]]))],
  ['in a revision of the page', (it) => updated(aDocument(), new Map([[3, `<< /Type /Page ${it} >>`]]))],
  ['in a revision that was replaced', (it) => updated(aDocument([`<< ${it} >>`]), new Map([[6, 'null']]))],
  ['in the dictionary of a stream', (it) => aDocument([stream(it.replace(' /F ', ' /UF '), latin1('q'))])],
  [
    'in the dictionary of a stream, after a remark',
    (it) => aDocument([stream(it.replace(' /F ', ' /UF '), latin1('q'), ' % a remark >>')]),
  ],
  ['beside a wrong table', (it) => shifted(aDocument([`<< ${it} >>`]))],
  [
    'as both names and a dictionary',
    (it) => aDocument([`<< ${it} >>`], { page: '/R << /Font 6 0 R >> /Q 6 0 R' }),
  ],
];

/** The same with a table that is wrong, so that readers look for the objects themselves. */
const shifted = (file: Buffer): Buffer =>
  latin1(file.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'));

/** A document whose table leads to an object where there seems to be none. */
function hidden(make: (object: string) => Buffer): Buffer {
  const object = '6 0 obj\n<< /S /JavaScript /JS (app.alert\\(1\\)) >>\nendobj';
  const file = make(object).toString('latin1');
  const at = String(file.indexOf(object)).padStart(10, '0');
  return latin1(file.replace(/6 1\n\d{10}/, `6 1\n${at}`));
}

const HIDDEN: readonly (readonly [string, (object: string) => Buffer])[] = [
  ['a comment', (object) => aDocument(['null'], { head: `%${object.replaceAll('\n', ' ')}\n` })],
  ['a string', (object) => aDocument(['null'], { info: `/Title (${object})` })],
  ['the content of a page', (object) => aDocument(['null'], { content: `q ${object} Q` })],
];

const hex = (bytes: Buffer): Buffer => latin1(`${bytes.toString('hex')}>`);

/** Adobe's base 85, as `/ASCII85Decode` reads it. */
function base85(bytes: Buffer): Buffer {
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const group = Buffer.alloc(4);
    bytes.copy(group, 0, at);
    let value = group.readUInt32BE(0);
    let digits = '';
    for (let i = 0; i < 5; i += 1) {
      digits = String.fromCharCode(33 + (value % 85)) + digits;
      value = Math.floor(value / 85);
    }
    out += digits.slice(0, Math.min(4, bytes.length - at) + 1);
  }
  return latin1(`${out}~>`);
}

/** A literal run, as `/RunLengthDecode` reads it. */
const run = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([bytes.length - 1]), bytes, Buffer.from([128])]);

/** A stored block that holds `endstream`, before the rest: a search for the end finds the wrong one. */
function hiddenBehindAnEnd(plain: Buffer): Buffer {
  const decoy = latin1('4 0 null\nendstream\n');
  const head = Buffer.from([0x78, 0x01, 0x00, decoy.length, 0, 0xff - decoy.length, 0xff]);
  return Buffer.concat([
    head,
    decoy,
    deflateRawSync(plain, { finishFlush: constants.Z_FINISH }),
    Buffer.alloc(4),
  ]);
}

const SCRIPT = latin1('9 0 << /S /JavaScript /JS (app.alert\\(1\\)) >>');
const FLATE = deflateSync(SCRIPT);
/** Object streams that readers would open and that are not opened here. */
const PACKED: readonly (readonly [string, string, Buffer, string?])[] = [
  ['hexadecimal', '/Filter /ASCIIHexDecode', hex(SCRIPT)],
  ['hexadecimal, in a list', '/Filter [/ASCIIHexDecode]', hex(SCRIPT)],
  ['hexadecimal, abbreviated', '/Filter /AHx', hex(SCRIPT)],
  ['in base 85', '/Filter /ASCII85Decode', base85(SCRIPT)],
  ['in runs', '/Filter /RunLengthDecode', run(SCRIPT)],
  ['hexadecimal, under an escaped name', '/Filter /ASCIIHex#44ecode', hex(SCRIPT)],
  ['hexadecimal over Flate', '/Filter [/ASCIIHexDecode /FlateDecode]', hex(FLATE)],
  ['base 85 over Flate', '/Filter [/ASCII85Decode /FlateDecode]', base85(FLATE)],
  ['Flate over hexadecimal', '/Filter [/FlateDecode /ASCIIHexDecode]', deflateSync(hex(SCRIPT))],
  ['Flate over Flate', '/Filter [/FlateDecode /FlateDecode]', deflateSync(FLATE)],
  ['a filter named elsewhere', '/Filter 6 0 R', FLATE],
  ['a filter in a list named elsewhere', '/Filter [6 0 R]', FLATE],
  ['two filters of which one counts', '/Filter /FlateDecode /Filter /AHx', FLATE],
  ['a predictor', '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>', FLATE],
  ['content of another file', '/F (a.bin) /FFilter /FlateDecode', FLATE],
  ['a remark before the filter', '/Filter % a remark\n/ASCIIHexDecode', hex(SCRIPT)],
  ['cut off', '/Filter /FlateDecode', FLATE.subarray(0, -6), 'MALFORMED'],
  ['no compression where they say so', '/Filter /FlateDecode', SCRIPT, 'MALFORMED'],
  ['a false end', '/Filter /FlateDecode', hiddenBehindAnEnd(SCRIPT), 'MALFORMED'],
];

/** Documents that act, carry files or hide what they hold: everything in every place and under every disguise. */
export function hostilePdfs(): HostilePdf[] {
  const refused = (name: string, file: Buffer, why: string, key: string | null = null): HostilePdf => ({
    name,
    file,
    finding: why,
    key,
  });
  const objects = (dictionary: string, bytes: Buffer): Buffer =>
    aDocument(['null', stream(`/N 1 /First 4 ${dictionary}`, bytes)]);
  return [
    ...FORBIDDEN.flatMap(([key, members]) =>
      PLACES.map(([place, put]) => refused(`${members} ${place}`, put(members), finding(key), key)),
    ),
    ...HIDDEN.map(([place, make]) => refused(`an object in ${place}`, hidden(make), 'MALFORMED')),
    refused(
      'an object in the content of a page, by a table that is a stream',
      aPackedDocument(['null'], { text: '4 0 obj << /S /JavaScript >> endobj', leadsTo: 4 }),
      'MALFORMED',
    ),
    ...PACKED.map(([what, dictionary, bytes, why = 'VARIANT_UNSUPPORTED']) =>
      refused(`objects with ${what}`, objects(dictionary, bytes), why),
    ),
    refused(
      'objects that are not compressed',
      objects('/Type /ObjStm', SCRIPT),
      'ACTIVE_CONTENT',
      '/JavaScript',
    ),
    refused(
      'a table that leads into a stream of no objects',
      latin1(aPackedDocument(['null']).toString('latin1').replace('/Type /ObjStm /N ', '/Type /Nothing /M ')),
      'MALFORMED',
    ),
    refused(
      'an action named elsewhere',
      aDocument(['<< /S 7 0 R >>', '/Launch']),
      'ACTIVE_CONTENT',
      '/Launch',
    ),
    refused(
      'an opening named elsewhere',
      aDocument(['<< /S /Hide >>', '6 0 R'], { catalogue: '/OpenAction 7 0 R' }),
      'ACTIVE_CONTENT',
      '/OpenAction',
    ),
    refused(
      'an opening that goes on to a list named elsewhere',
      aDocument(['<< /S /GoTo /D (a) /Next 7 0 R >>', '[<< /S /Named /N /Print >>]'], {
        catalogue: '/OpenAction 6 0 R',
      }),
      'ACTIVE_CONTENT',
      '/OpenAction',
    ),
    refused(
      'a page of another file',
      aDocument([stream('/Ref << /F (a.pdf) /Page 0 >>', latin1('q'))]),
      'ATTACHMENTS',
      '/Ref',
    ),
    refused('a thread in another file', aDocument(['<< /S /Thread /F (a.pdf) /D 0 >>']), 'ATTACHMENTS', '/F'),
    refused(
      'a script of a link named elsewhere',
      aDocument(['<< /S /URI /URI 7 0 R >>', '(javascript:1)']),
      'ACTIVE_CONTENT',
      '/URI',
    ),
    refused(
      'a script of a link named elsewhere, in an object stream',
      aPackedDocument(['<< /S /URI /URI 5 0 R >>', '(java\\163cript:1)']),
      'ACTIVE_CONTENT',
      '/URI',
    ),
    refused('a stream in another file', aDocument([stream('/F (a.bin)', latin1('q'))]), 'ATTACHMENTS', '/F'),
    refused(
      'a password',
      aDocument(['<< /Filter /Standard >>'], { trailer: '/Encrypt 6 0 R' }),
      'ENCRYPTED',
      '/Encrypt',
    ),
    refused(
      'a password under an escape',
      aDocument(['<< >>'], { trailer: '/#45ncrypt 6 0 R' }),
      'ENCRYPTED',
      '/Encrypt',
    ),
    refused(
      'brackets without end',
      aDocument([`${'['.repeat(5_000)}${']'.repeat(5_000)}`]),
      'EXPANDS_TOO_MUCH',
    ),
    refused(
      'more values than anybody writes',
      aDocument([`[${'0 '.repeat(2_100_000)}]`]),
      'EXPANDS_TOO_MUCH',
    ),
    refused(
      'zlib in zlib',
      aDocument([stream('/Filter [/FlateDecode /FlateDecode]', FLATE)]),
      'EXPANDS_TOO_MUCH',
    ),
    refused(
      'objects that expand to 64 MB',
      objects('/Filter /FlateDecode', deflateSync(Buffer.alloc(64_000_000, ' '))),
      'EXPANDS_TOO_MUCH',
    ),
    refused('a string without end', aDocument(['<< /T (a >>']), 'TRUNCATED'),
    refused('a dictionary without end', aDocument(['<< /T 1']), 'MALFORMED'),
    refused('a key without a value', aDocument(['<< /T /U /S >>']), 'MALFORMED'),
    refused('a name with a NUL', aDocument(['<< /JS#00 (x) >>']), 'MALFORMED'),
    refused('no end', aDocument().subarray(0, -40), 'TRUNCATED'),
    refused('something after the end', Buffer.concat([aDocument(), latin1('<html>')]), 'TRAILING_DATA'),
  ];
}

/** Names that would be forbidden where a reader acts on them. */
const NAMES = [...new Set(FORBIDDEN.map(([key]) => key))];

/** Where a name is text, or a name that somebody chose. */
const TEXTS: readonly (readonly [string, (name: string) => Buffer])[] = [
  ['a title', (name) => aDocument([], { info: `/Title (Types${name}) /Subject (>> stream ${name} \\( )` })],
  ['a hexadecimal title', (name) => aDocument([], { info: `/Title <${latin1(name).toString('hex')}>` })],
  ['a remark', (name) => aDocument([`% ${name}\n<< /T 1 % << ${name} (x) >> stream\n>>`])],
  ['a remark after the end', (name) => Buffer.concat([aDocument(), latin1(`% ${name} of the end\n`)])],
  ['a text of the page', (name) => aDocument([], { content: `BT (How ${name} works) Tj ET` })],
  [
    'an object in a text of the page',
    (name) => aDocument([], { content: `BT (9 0 obj << ${name} (x) >> endobj) Tj ET` }),
  ],
  [
    'a font',
    (name) =>
      aDocument(['<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>'], {
        page: `/Resources << /Font << ${name} 6 0 R >> >>`,
      }),
  ],
  [
    'fonts named elsewhere',
    (name) =>
      aDocument([`<< ${name} << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >>`], {
        page: '/Resources << /Font 6 0 R >>',
      }),
  ],
  [
    'a destination',
    (name) =>
      aDocument([`<< /Title (a) /Dest ${name} >>`], { catalogue: `/Dests << ${name} [3 0 R /Fit] >>` }),
  ],
  ['a member of its description', (name) => aDocument([], { info: `${name} (Vol. 1)` })],
  [
    'a style of its structure',
    (name) =>
      aDocument([
        `<< /S ${name} /P 7 0 R /K 0 /Pg 3 0 R >>`,
        `<< /Type /StructTreeRoot /RoleMap << ${name} /P >> /K 6 0 R >>`,
      ]),
  ],
  [
    'a state of a field',
    (name) =>
      aDocument([stream('/Type /XObject /Subtype /Form /BBox [0 0 1 1]', latin1('q Q'))], {
        page: `/Annots [<< /Subtype /Widget /AS ${name} /AP << /N << ${name} 6 0 R >> >> >>]`,
      }),
  ],
  ['a title in an object stream', (name) => aPackedDocument([`<< /Title (${name}) >>`])],
  ['a title of a revision', (name) => updated(aDocument(), new Map([[5, `<< /Title (${name} 6 0 obj) >>`]]))],
];

const pages = latin1('q 1 0 0 1 0 0 cm Q');
const OTHERS: readonly MadePdf[] = (
  [
    ['a destination at its opening', aDocument([], { catalogue: '/OpenAction [3 0 R /XYZ null null 0]' })],
    [
      'a page named at its opening',
      aDocument([], { catalogue: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
    ],
    ['an opening named elsewhere', aDocument(['<< /S /GoTo /D (a) >>'], { catalogue: '/OpenAction 6 0 R' })],
    ['no opening', aDocument([], { catalogue: '/OpenAction null' })],
    ['a page that goes on', aDocument([], { page: '/AA << /O << /S /GoTo /D [3 0 R /Fit] >> >>' })],
    [
      'a link to the web',
      aDocument([], { page: '/Annots [<< /Subtype /Link /A << /S /URI /URI (https://example.com) >> >>]' }),
    ],
    [
      'a link that speaks of a script',
      aDocument([], {
        page: '/Annots [<< /A << /S /URI /URI (https://example.com/?javascript:1) >> /Contents (javascript:1) >>]',
      }),
    ],
    [
      'links to people',
      aDocument(['<< /S /URI /URI (mailto:a@example.com) >>', '<< /S /URI /URI (tel:+1) >>']),
    ],
    ['links that begin alike', aDocument([], { catalogue: '/URI << /Base (https://example.com/) >>' })],
    [
      'a link to a page',
      aDocument([], { page: '/Annots [<< /Subtype /Link /A << /S /GoTo /D [3 0 R /Fit] >> >>]' }),
    ],
    [
      'a signature',
      aDocument([
        `<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <${'00'.repeat(9_000)}> >>`,
      ]),
    ],
    ['a form', aDocument([], { catalogue: '/AcroForm << /Fields [] /DR << >> >>' })],
    [
      'the length of a stream named elsewhere',
      aDocument([
        Buffer.concat([latin1('<< /Length 7 0 R >>\nstream\n'), pages, latin1('\nendstream')]),
        String(pages.length),
      ]),
    ],
    [
      'a stream that holds the word for its end',
      aDocument([stream('', latin1('q endstream endobj 9 0 obj Q'))]),
    ],
    [
      'a stream of a wrong length',
      latin1(
        aDocument([stream('', pages)])
          .toString('latin1')
          .replace(`/Length ${pages.length}`, '/Length 5'),
      ),
    ],
    ['a remark before a stream', aDocument([stream('', pages, ' % >> stream')])],
    ['packed objects', aPackedDocument(['<< /T 1 >>', '[1 0 R]', '(a string)', '2 0 R'])],
    [
      'three revisions',
      updated(
        updated(aDocument(), new Map([[6, 'null']])),
        new Map([[3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>']]),
      ),
    ],
    ['a wrong table', shifted(aDocument())],
  ] as const
).map(([name, file]) => ({ name, file }));

/** Documents that do nothing, whatever they speak of. */
export const harmlessPdfs = (): MadePdf[] => [
  ...OTHERS,
  ...NAMES.flatMap((it) => TEXTS.map(([place, make]) => ({ name: `${it} as ${place}`, file: make(it) }))),
];
