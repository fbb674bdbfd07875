import { Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { partsOf, readPdf, structureOf, type TaggedPart } from '../../../test/support/pdf.js';
import { PdfWriter } from './pdf-writer.js';

const HEAD = {
  title: 'Papel de exemplo',
  author: 'Banco <Exemplo> & Filhos',
  language: 'pt-BR',
  madeAt: new Date('2026-11-20T15:00:00Z'),
  head: 'Banco Exemplo S.A.',
  foot: 'dsr_1',
  ...{ pageWord: 'Página', ofWord: 'de' },
};
const LONG = 'Uma frase que é mais longa do que uma linha e sobre a qual se pode falar bastante. '.repeat(8);

async function printed(draw: (pdf: PdfWriter) => void | Promise<void>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const pdf = await PdfWriter.open(HEAD, output);
  await draw(pdf);
  await pdf.finish();
  return Buffer.concat(chunks);
}

const ROWS = 120;

describe('A printed paper', () => {
  let bytes: Buffer;
  let parts: TaggedPart[];
  const of = (...types: string[]): TaggedPart[] => parts.filter(({ type }) => types.includes(type));

  beforeAll(async () => {
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#abc' } })
      .jpeg()
      .toBuffer();
    bytes = await printed((pdf) => {
      pdf.title('Papel de exemplo');
      pdf.values([
        ['Nome', 'João Exemplo'],
        ['Justificativa', LONG.repeat(20)],
      ]);
      pdf.contents('Conteúdo', ['Tabela', 'Lista', 'Imagem']);
      pdf.heading('Tabela');
      pdf.subheading('Linhas');
      pdf.beginTable([
        { title: 'Número', share: 1, right: true },
        { title: 'Texto', share: 3 },
      ]);
      for (let i = 0; i < ROWS; i += 1) pdf.row([String(i), i % 10 === 0 ? LONG : 'curto']);
      pdf.endTable();
      pdf.heading('Lista');
      pdf.list([['um', 'porque sim'], ['dois']]);
      pdf.lineWithAside('à esquerda', 'à direita', { as: 'H3' });
      pdf.paragraphs(['primeiro', 'segundo'], { indent: 12 });
      pdf.heading('Imagem');
      pdf.picture(picture, 'Documento, frente');
    });
    parts = partsOf(structureOf(bytes));
  });

  it('says its language, its title, and that it is tagged; it does not promise more', () => {
    const text = bytes.toString('latin1');
    for (const part of ['%PDF-1.7', '/Marked true', '/Lang (pt-BR)', '/DisplayDocTitle true', '/Tabs /S']) {
      expect(text).toContain(part);
    }
    // The fonts are not in it, which PDF/UA demands.
    expect(text).not.toContain('pdfuaid');
    // The description in XML is well formed whatever the names are.
    expect(text).toContain('<rdf:li>Banco  Exemplo    Filhos</rdf:li>');
  });

  it('has its headings in order, and no level is left out', () => {
    const headings = of('H1', 'H2', 'H3');
    expect(headings.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'H1 Papel de exemplo',
      'H2 Conteúdo',
      'H2 Tabela',
      'H3 Linhas',
      'H2 Lista',
      'H3 à esquerda à direita',
      'H2 Imagem',
    ]);
  });

  it('has contents whose entries say the page of their section and lead to it', () => {
    const entries = of('TOCI').map(({ kids }) => kids[0]);
    expect(entries.map((entry) => entry?.type)).toEqual(['Link', 'Link', 'Link']);
    for (const entry of entries) {
      const [, name = '', page = ''] = /^(.*) (\d+)$/.exec(entry?.text ?? '') ?? [];
      const [section] = of('H2').filter(({ text }) => text === name);
      expect([name, section?.pages]).toEqual([name, [Number(page)]]);
      expect(entry?.target).toBe(Number(page));
    }
    // They lead to different pages, so that all of this is shown.
    expect(new Set(entries.map((entry) => entry?.target)).size).toBeGreaterThan(1);
  });

  it('has bookmarks that lead to the pages of the sections', () => {
    const text = bytes.toString('latin1');
    const marks = [...text.matchAll(/\/Dest \[\d+ 0 R \/XYZ null [\d.]+ null\]\n\/Parent \d+ 0 R/g)];
    expect(marks).toHaveLength(4);
  });

  it('has whole tables over several pages, whose repeated headers are read once', () => {
    const tables = of('Table').map(({ kids }) => kids.map((row) => row.kids.map(({ type }) => type)));
    expect(tables[0]).toEqual([
      ['TH', 'TD'],
      ['TH', 'TD'],
    ]);
    expect(tables[1]).toEqual([['TH', 'TH'], ...Array.from({ length: ROWS }, () => ['TD', 'TD'])]);
    const cells = of('TD').map(({ text }) => text);
    expect(cells).toContain(LONG.trim());
    const headers = readPdf(bytes).pages.filter((lines) => lines.includes('Número'));
    expect(headers.length).toBeGreaterThan(1);
    expect(of('TH').filter(({ text }) => text === 'Número')).toHaveLength(1);
  });

  it('has lists with marks, paragraphs of several lines, and words for each picture', () => {
    expect(of('LI').map(({ kids }) => kids.map(({ type, text }) => `${type} ${text}`))).toEqual([
      ['Lbl \u00b7', 'LBody umporque sim'],
      ['Lbl \u00b7', 'LBody dois'],
    ]);
    expect(of('P').map(({ text }) => text)).toEqual(['primeirosegundo', 'Documento, frente']);
    expect(of('Figure')).toMatchObject([{ alt: 'Documento, frente' }]);
  });

  it('says on every page whose it is and which it is of how many, for who sees it alone', () => {
    const { pages, total } = readPdf(bytes);
    expect(total).toBe(pages.length);
    expect(pages.length).toBeGreaterThan(3);
    for (const [i, [foot, number, head]] of pages.entries()) {
      expect([foot, number, head]).toEqual([HEAD.foot, `Página ${i + 1} de `, HEAD.head]);
    }
    expect(parts.filter(({ text }) => text.includes(HEAD.head))).toEqual([]);
  });

  it('keeps a block on one page, unless it is longer than a page', async () => {
    const LONGEST = 12;
    const blocks = await printed((pdf) => {
      pdf.heading('Blocos');
      for (let i = 0; i < 40; i += 1) {
        pdf.block(() => {
          pdf.lineWithAside(`bloco ${i}`, 'à direita', { as: 'H3' });
          pdf.paragraph(i === LONGEST ? LONG.repeat(20) : LONG);
          pdf.list([[`fim ${i}`, 'porque sim']]);
        });
      }
    });
    const drawn = partsOf(structureOf(blocks));
    const heads = drawn.filter(({ type }) => type === 'H3');
    const texts = drawn.filter(({ type }) => type === 'P');
    const ends = drawn.filter(({ type }) => type === 'LBody');
    expect([heads.length, texts.length, ends.length]).toEqual([40, 40, 40]);
    for (const [i, head] of heads.entries()) {
      const pages = new Set([...head.pages, ...texts[i]!.pages, ...ends[i]!.pages]);
      if (i === LONGEST) expect(pages.size).toBeGreaterThan(1);
      else expect([head.text, pages.size]).toEqual([head.text, 1]);
    }
    expect(readPdf(blocks).pages.length).toBeGreaterThan(4);
  });

  it('is not finished when a section is not there that the contents name', async () => {
    await expect(
      printed((pdf) => {
        pdf.contents('Conteúdo', ['Nada']);
      }),
    ).rejects.toThrow('Nada');
  });
});
