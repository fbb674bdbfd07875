import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partyRoles, siscoafTags, type SiscoafRole } from '../../data/siscoaf-layout.js';
import { brazilianAmount, sumOfAmounts, type Communication, type InvolvedParty } from './communication.js';
import { writeInvestigatorFiles } from './investigator-files.js';
import { latin1Bytes, toLatin1 } from '../../../../platform/kernel/values/latin-1.js';
import { batchId, writeSiscoafXml } from './siscoaf-xml.js';
import { runsInPart } from '../../../../../test/support/needs.js';

const FIXTURES = new URL('../../../../../test/fixtures/coaf/', import.meta.url);
const AT = { year: 2026, month: 11, day: 20, hour: 9, minute: 5, second: 3 };
const institution = {
  taxId: '11222333000181',
  name: 'Instituição de Pagamento Exemplo S.A.',
  branchNumber: '0001',
  branchName: 'Agência São João & Cia',
  city: 'São Paulo',
  state: 'SP',
};
const party = (fields: Partial<InvolvedParty> = {}): InvolvedParty => ({
  taxId: '52998224725',
  name: 'José Conceição da Silva Júnior',
  role: 'HOLDER',
  branchNumber: '0001',
  branchName: null,
  account: '12345-6',
  accountOpenedOn: { year: 2020, month: 5, day: 11 },
  profileUpdatedOn: { year: 2026, month: 2, day: 7 },
  pep: true,
  obliged: false,
  publicServant: false,
  ...fields,
});
const communication = (fields: Partial<Communication> = {}): Communication => ({
  kind: 'SUSPICION',
  number: '1',
  institution,
  from: { year: 2026, month: 10, day: 1 },
  to: { year: 2026, month: 10, day: 31 },
  credit: '270000.00',
  debit: '269999.9',
  provision: '0',
  proposal: '0',
  details: 'Recebeu R$ 270.000,00 e transferiu 100% em 24 h; "conta de passagem" <IV-a> & outros.',
  codes: [1045, 1058],
  parties: [party()],
  filing: null,
  ...fields,
});

/** Several parties, names from everywhere, and a cell that a spreadsheet would run. */
const golden: readonly Communication[] = [
  communication({
    parties: [
      party(),
      party({ name: '=CMD|Łukasz Wójcik – “Filial”', role: 'SENDER', taxId: '11144477735', account: '-1' }),
      party({
        name: 'Empresa; Comércio "ABC" Ltda',
        taxId: '12ABC34501DE35',
        role: 'OTHER',
        account: null,
        accountOpenedOn: null,
        profileUpdatedOn: null,
        pep: null,
        obliged: null,
        publicServant: null,
      }),
    ],
  }),
  communication({
    kind: 'CASH',
    number: '2',
    from: { year: 2026, month: 11, day: 19 },
    to: { year: 2026, month: 11, day: 19 },
    credit: '50000',
    debit: '0',
    details: 'DEPÓSITO EM ESPÉCIE',
    codes: [1161],
    parties: [party({ pep: false }), party({ role: 'DEPOSITOR', name: 'Мария Иванова', account: null })],
    filing: { number: '2026111900001', receivedOn: { year: 2026, month: 11, day: 20 } },
  }),
];

const names = {
  'siscoaf.xml': () => writeSiscoafXml(golden, AT).bytes,
  'RIF_Comunicacoes.csv': () => writeInvestigatorFiles(golden).communications,
  'RIF_Envolvidos.csv': () => writeInvestigatorFiles(golden).parties,
  'RIF_Ocorrencias.csv': () => writeInvestigatorFiles(golden).occurrences,
};

describe('the files of a communication to COAF', () => {
  it.each(Object.entries(names))(
    '%s is byte for byte what it was when a person looked at it',
    (name, write) => {
      const path = new URL(name, FIXTURES);
      expect(write().toString('latin1')).toBe(readFileSync(path).toString('latin1'));
    },
  );

  it('the batch has the name of its time, and says first that it is a draft', () => {
    expect(batchId(AT)).toBe('SISCOAF20112026090503');
    const text = writeSiscoafXml([communication()], AT).bytes.toString('latin1');
    expect(text.startsWith('<?xml version="1.0" encoding="ISO-8859-1"?>\r\n<!-- RASCUNHO / DRAFT')).toBe(
      true,
    );
  });

  it('says what an analyst must see to', () => {
    expect(writeSiscoafXml([communication()], AT).problems).toEqual([]);
    const of = (fields: Partial<Communication>): string[] =>
      writeSiscoafXml([communication(fields)], AT).problems.map(({ field, code }) => `${field} ${code}`);
    expect(of({ institution: { ...institution, taxId: null } })).toEqual(['CPFCNPJCom MISSING']);
    expect(of({ institution: { ...institution, taxId: '11222333000182' } })).toEqual(['CPFCNPJCom INVALID']);
    expect(of({ institution: { ...institution, state: 'São Paulo' } })).toEqual([
      'AgUF INVALID',
      'AgUF TOO_LONG',
    ]);
    expect(of({ codes: [] })).toEqual(['CodEnq MISSING']);
    expect(of({ codes: [9999] })).toEqual(['CodEnq CODE_UNKNOWN']);
    expect(of({ credit: '0', debit: '0.00' })).toEqual(['VlCred MISSING']);
    expect(of({ details: '' })).toEqual(['Det MISSING']);
    expect(of({ details: 'x'.repeat(8_001) })).toEqual(['Det TOO_LONG']);
    expect(of({ parties: [] })).toEqual(['ENVOLVIDO MISSING']);
    expect(of({ parties: [party({ taxId: null }), party({ pep: null }), party({ pep: null })] })).toEqual([
      'CPFCNPJEnv MISSING',
      'PEP NOT_KNOWN',
    ]);
    expect(of({ parties: [party({ name: 'Łukasz' })] })).toEqual(['NmEnv CHARACTERS_REPLACED']);
  });

  it('a batch larger than Siscoaf takes is said to be', () => {
    const many = Array.from({ length: 130 }, () => communication({ details: 'x'.repeat(8_000) }));
    expect(writeSiscoafXml(many, AT).problems).toEqual([{ field: 'LOTE', code: 'TOO_LARGE' }]);
  });

  it('every role and every tag is written as Siscoaf numbers and names it', () => {
    const roles = Object.keys(partyRoles) as SiscoafRole[];
    const text = writeSiscoafXml(
      [communication({ parties: roles.map((role) => party({ role })) })],
      AT,
    ).bytes.toString();
    for (const role of roles) expect(text).toContain(`<TpEnv>${partyRoles[role].number}</TpEnv>`);
    for (const tag of Object.values(siscoafTags)) expect(text).toContain(tag);
  });

  it('whatever anybody is called: valid ISO-8859-1, well-formed, one line, and nothing a spreadsheet runs', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme' }),
        (name, details) => {
          const one = [communication({ details, parties: [party({ name, taxId: '52998224725' })] })];
          const text = writeSiscoafXml(one, AT).bytes.toString('latin1');
          // Nothing but tags, and text without what would begin or end one.
          const content = text.replace(/<!--.*?-->|<\?.*?\?>|<\/?[A-Za-z]+( ID="SISCOAF\d{14}")?\/?>/g, '');
          expect(content).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|apos);)/);
          expect(content.replace(/\r\n/g, '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          const { parties } = writeInvestigatorFiles(one);
          const lines = parties.toString('latin1').split('\r\n');
          expect(lines).toHaveLength(3);
          expect(lines[1]).toMatch(/^1;529\.982\.247-25;/);
          const cell = (lines[1] ?? '').slice('1;529.982.247-25;'.length).replace(/^"/, '');
          expect(cell).toMatch(/^(-;|[^=+\-@\t\r])/);
        },
      ),
      { numRuns: runsInPart(2_000) },
    );
  });
});

describe('ISO-8859-1', () => {
  it('keeps every letter of Portuguese, however it is composed', () => {
    const text = 'ÁÀÂÃÉÊÍÓÔÕÚÜÇáàâãéêíóôõúüç ªº §';
    expect(toLatin1(text)).toEqual({ text, replaced: 0 });
    expect(toLatin1(text.normalize('NFD'))).toEqual({ text: text.normalize('NFC'), replaced: 0 });
  });

  it.each([
    ['Łódź – “x” … €5', 'Lódz - "x" ... EUR5'],
    ['Иванова', 'Ivanova'],
    ['山田', 'ShanTian'],
    ['a\tb\r\nc\u2028d', 'a b  c d'],
    ['x\u0302\u200b\u0000\u0085', 'x'],
    ['\ud800', '[U+D800]'],
  ])('%j becomes %j', (text, expected) => {
    expect(toLatin1(text).text).toBe(expected);
  });

  it('of any text: it can be written, is stable, and loses nothing that the encoding has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const { text: out, replaced } = toLatin1(text);
        expect(latin1Bytes(out).toString('latin1')).toBe(out);
        expect(out).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(toLatin1(out)).toEqual({ text: out, replaced: 0 });
        const kept = [...text.normalize('NFC')].filter((c) =>
          /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff]$/.test(c),
        );
        // In order, with something between them where the text had more.
        let at = 0;
        for (const character of kept) {
          const wanted = character === '\u00a0' ? ' ' : character;
          at = out.indexOf(wanted, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
        if (replaced === 0) expect(out.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: runsInPart(4_000) },
    );
  });

  it('nothing but what was made for it is written', () => {
    expect(() => latin1Bytes('Ł')).toThrow();
  });
});

describe('amounts', () => {
  it.each([
    ['270000', '270.000,00', '270000,00'],
    ['0.5', '0,50', '0,50'],
    ['999999999999.99', '999.999.999.999,99', '999999999999,99'],
    ['1234.5678', '1.234,56', '1234,56'],
  ])('%s is %s', (decimal, withPoints, plain) => {
    expect(brazilianAmount(decimal, { points: true })).toBe(withPoints);
    expect(brazilianAmount(decimal, { points: false })).toBe(plain);
  });

  it('are summed exactly', () => {
    expect(sumOfAmounts(['0.1', '0.2'])).toBe('0.30');
    expect(sumOfAmounts([])).toBe('0.00');
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 14n }), { maxLength: 30 }), (values) => {
        const texts = values.map((cents) => {
          const digits = cents.toString().padStart(3, '0');
          return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
        });
        const total = values.reduce((sum, value) => sum + value, 0n);
        expect(BigInt(sumOfAmounts(texts).replace('.', ''))).toBe(total);
      }),
    );
  });
});
