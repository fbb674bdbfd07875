import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { aPdf, aStream, onePage, type HostileFile } from './hostile-files.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const escaped = (name: string, at: number): string =>
  `${name.slice(0, at)}#${name.charCodeAt(at).toString(16)}${name.slice(at + 1)}`;
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

/** Literal runs only, as `/RunLengthDecode` reads them. */
function runs(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 128) {
    const run = bytes.subarray(at, at + 128);
    parts.push(Buffer.from([run.length - 1]), run);
  }
  return Buffer.concat([...parts, Buffer.from([128])]);
}

/** Everything that makes a document act or carry something. */
const ACTS: readonly (readonly [string, string])[] = [
  ['JavaScript', '<< /S /JavaScript >>'],
  ['JS', '<< /JS (app.alert\\(1\\)) >>'],
  ['Launch', '<< /S /Launch /F (cmd.exe) >>'],
  ['ImportData', '<< /S /ImportData /F (a.fdf) >>'],
  ['SubmitForm', '<< /S /SubmitForm /F (https://example.com) >>'],
  ['GoToE', '<< /S /GoToE /D [0] >>'],
  ['GoToR', '<< /S /GoToR /F (a.pdf) /D [0] >>'],
  ['RichMedia', '<< /Subtype /RichMedia >>'],
  ['XFA', '<< /XFA 4 0 R >>'],
  ['Movie', '<< /S /Movie >>'],
  ['Rendition', '<< /S /Rendition >>'],
  ['OpenAction', '<< /OpenAction [3 0 R /Fit] >>'],
  ['AA', '<< /AA << /O 4 0 R >> >>'],
  ['EmbeddedFile', '<< /Type /EmbeddedFile >>'],
  ['EmbeddedFiles', '<< /EmbeddedFiles 4 0 R >>'],
  ['EF', '<< /EF << /F 4 0 R >> >>'],
  ['Collection', '<< /Collection << >> >>'],
];

const FILTERS: readonly (readonly [string, (plain: Buffer) => Buffer])[] = [
  ['/Filter /ASCIIHexDecode', hex],
  ['/Filter [/ASCIIHexDecode]', hex],
  ['/Filter /AHx', hex],
  ['/Filter /ASCII85Decode', base85],
  ['/Filter /RunLengthDecode', runs],
  ['/Filter [/ASCIIHexDecode /FlateDecode]', (plain) => hex(deflateSync(plain))],
  ['/Filter [/ASCII85Decode /FlateDecode]', (plain) => base85(deflateSync(plain))],
  ['/Filter [/FlateDecode /ASCIIHexDecode]', (plain) => deflateSync(hex(plain))],
  ['/Filter [/FlateDecode /FlateDecode]', (plain) => deflateSync(deflateSync(plain))],
  ['/Filter [/RunLengthDecode /FlateDecode]', (plain) => runs(deflateSync(plain))],
];

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

/** Documents that do something, in every place and under every disguise. */
export function hostilePdfs(): HostileFile[] {
  const found: HostileFile[] = [];
  const refuse = (name: string, file: Buffer, code: HostileFile['code'] = 'FILE_TYPE_UNSUPPORTED'): void => {
    found.push({ name, file, code });
  };
  const objectStream = (dictionary: string, bytes: Buffer): Buffer =>
    onePage('', aStream(`/Type /ObjStm /N 1 /First 4 ${dictionary}`, bytes));
  for (const [name, object] of ACTS) {
    const plain = latin1(`4 0 ${object}`);
    refuse(`a PDF with /${name}`, onePage('', object));
    refuse(
      `a PDF with /${name} under escapes`,
      onePage('', object.replaceAll(`/${name}`, `/${escaped(name, 0)}`)),
    );
    refuse(`a PDF with /${name} in its catalogue`, onePage(object.slice(2, -2)));
    refuse(
      `a PDF with /${name} in an object stream`,
      objectStream('/Filter /FlateDecode', deflateSync(plain)),
    );
    refuse(
      `a PDF with /${name} under escapes in an object stream`,
      objectStream(
        '/Filter [/FlateDecode]',
        deflateSync(latin1(plain.toString('latin1').replaceAll(`/${name}`, `/${escaped(name, 1)}`))),
      ),
    );
    refuse(`a PDF with /${name} in hexadecimal objects`, objectStream('/Filter /ASCIIHexDecode', hex(plain)));
    refuse(
      `a PDF with /${name} in objects named by their use`,
      onePage('', aStream('/N 1 /First 4 /Type 5 0 R /Filter /ASCIIHexDecode', hex(plain)), '/ObjStm'),
    );
  }
  const script = latin1('4 0 << /S /JavaScript /JS (app.alert\\(1\\)) >>');
  for (const [filter, encode] of FILTERS) {
    refuse(`objects under ${filter}`, objectStream(filter, encode(script)));
    refuse(
      `objects under ${filter}, escaped`,
      objectStream(filter.replace('Decode', '#44ecode'), encode(script)),
    );
  }
  const flate = deflateSync(script);
  refuse('objects under a filter named elsewhere', objectStream('/Filter 5 0 R', flate));
  refuse('objects under a list of filters named elsewhere', objectStream('/Filter [5 0 R]', flate));
  refuse(
    'objects under two filters of which one counts',
    objectStream('/Filter /FlateDecode /Filter /AHx', flate),
  );
  refuse(
    'objects under a predictor',
    objectStream('/Filter /FlateDecode /DecodeParms << /Predictor 12 >>', flate),
  );
  refuse('objects of another file', objectStream('/F (a.bin) /FFilter /FlateDecode', flate));
  refuse('objects that are not compressed', objectStream('', script));
  refuse('objects that say they are compressed', objectStream('/Filter /FlateDecode', script));
  refuse('objects cut off', objectStream('/Filter /FlateDecode', flate.subarray(0, -6)));
  refuse('objects behind a false end', objectStream('/Filter /FlateDecode', hiddenBehindAnEnd(script)));
  refuse('a remark before the filter', objectStream('/Filter % a remark\n/ASCIIHexDecode', hex(script)));
  refuse(
    'a remark before the stream',
    onePage(
      '',
      Buffer.concat([
        latin1('<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >> % a remark\nstream\n'),
        flate,
        latin1('\nendstream'),
      ]),
    ),
  );
  refuse(
    'objects that expand to 64 MB',
    objectStream('/Filter /FlateDecode', deflateSync(Buffer.alloc(64_000_000, ' '))),
    'FILE_TOO_LARGE',
  );
  for (const dictionary of ['/Encrypt 4 0 R', '/#45ncrypt 4 0 R']) {
    refuse(
      `a trailer with ${dictionary}`,
      aPdf(
        [
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page >>',
        ],
        `/Root 1 0 R ${dictionary}`,
      ),
    );
  }
  return found;
}
