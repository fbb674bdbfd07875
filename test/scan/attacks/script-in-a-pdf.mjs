import { deflateSync } from 'node:zlib';

export const tries =
  'to bring in a PDF that runs a script, where a reader of one filter, or of patterns, does not look';

const script = '4 0 << /S /JavaScript /JS (app.alert\\(1\\)) >>';
const hex = (text) => Buffer.from(`${Buffer.from(text).toString('hex')}>`);
const stream = (filter, bytes) =>
  Buffer.concat([
    Buffer.from(`5 0 obj\n<< /Type /ObjStm /N 1 /First 4 ${filter} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
const pdf = (catalog, objects = Buffer.alloc(0)) =>
  Buffer.concat([
    Buffer.from(
      `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n` +
        '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n' +
        '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n',
    ),
    objects,
    Buffer.from('trailer\n<< /Root 1 0 R /Size 6 >>\nstartxref\n9\n%%EOF\n'),
  ]);

const plain = (object) => Buffer.from(`4 0 obj\n${object}\nendobj\n`);

const FILES = {
  'hexadecimal objects': pdf('/Names 4 0 R', stream('/Filter /ASCIIHexDecode', hex(script))),
  'hexadecimal objects, packed first': pdf(
    '/Names 4 0 R',
    stream('/Filter [/ASCIIHexDecode /FlateDecode]', hex(deflateSync(script).toString('latin1'))),
  ),
  'packed objects': pdf('/Names 4 0 R', stream('/Filter /FlateDecode', deflateSync(script))),
  'what runs at the opening': pdf('/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'),
  'objects behind a remark': pdf(
    '/Names 4 0 R',
    plain('%>> stream\n<< /S /JavaScript /JS (app.alert\\(1\\)) >>'),
  ),
  'objects behind a string': pdf('/Names 4 0 R', plain('<< /T (>> stream) /S /JavaScript >>')),
  'an escaped name': pdf('/Names 4 0 R', plain('<< /S /J#61vaScript >>')),
  'what runs with a page': pdf('/AA << /WC << /S /JavaScript /JS (app.alert\\(1\\)) >> >>'),
};

export async function attack({ url, victim }) {
  const findings = [];
  for (const [what, bytes] of Object.entries(FILES)) {
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'a.pdf');
    const answer = await fetch(`${url}/kyc-sessions/${victim.link}/upload`, { method: 'POST', body: form });
    await answer.arrayBuffer();
    if (answer.status !== 415) findings.push(`${what}: ${answer.status}`);
  }
  return findings;
}
