import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countryCodes as known } from '../../src/platform/kernel/reference/countries.js';
import { TaxId } from '../../src/platform/kernel/values/tax-id.js';
import { validateAnswers } from '../../src/features/sessions/domain/flow/answers.js';
import {
  fieldTypes,
  type FieldType,
  type FlowDefinition,
} from '../../src/features/sessions/domain/flow/flow.js';
import { fieldAnswer, fieldFault, flowOf, isoDate, tidied } from '../../web/src/answers.js';
import type { Field, Step } from '../../web/src/api.js';
import { contrast, paletteOf } from '../../web/src/brand.js';
import { LiveLooks, shapeOf, shownPart } from '../../web/src/capture/live-looks.js';
import { countryCodes } from '../../web/src/texts/countries.js';
import { isCnpj, isCpf } from '../../web/src/tax-id.js';

const TODAY = '2026-11-20';
const options = [{ value: 'A', label: 'A' }];

const onThePage = (type: FieldType): Field => ({
  id: 'it',
  type,
  label: 'it',
  help: null,
  required: true,
  options,
  constraints: { minLength: 3, maxLength: 20 },
});

const inTheService = (type: FieldType): FlowDefinition => ({
  name: { 'pt-BR': 'x' },
  expiresInMinutes: 60,
  minimumAge: 18,
  requiredChecks: [],
  steps: [
    {
      id: 'step',
      type: 'DATA_FORM',
      title: { 'pt-BR': 'x' },
      required: true,
      fields: [
        {
          id: 'it',
          type,
          label: { 'pt-BR': 'it' },
          required: true,
          minLength: 3,
          maxLength: 20,
          options: [{ value: 'A', label: { 'pt-BR': 'A' } }],
        },
      ],
    },
  ],
});

const typed = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.stringMatching(/^[0-9./ -]{0,18}$/),
  fc.constantFrom('52998224725', '529.982.247-25', '11222333000181', '12.ABC.345/01DE-35', 'BR', 'br', 'A'),
  fc.constantFrom(
    '27/03/1985',
    '31/02/1980',
    '01/01/2027',
    '1/1/1900',
    '31/12/1899',
    '20112026',
    '1985-03-27',
  ),
  fc.constantFrom(
    'a@b.co',
    'a@b',
    '01310-100',
    '01310100',
    '(11) 91234-5678',
    '+5511912345678',
    '2500,00',
    '2500.5',
  ),
);

it('the page takes a text exactly when the service takes what the page then sends', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), typed, (type, text) => {
      const field = onThePage(type);
      const sent = fieldAnswer(field, text);
      fc.pre(sent !== undefined);
      const [problem] = validateAnswers(inTheService(type), { it: sent }, TODAY);
      expect({ type, sent, code: fieldFault(field, text, TODAY) }).toEqual({
        type,
        sent,
        code: problem?.code ?? null,
      });
    }),
    { numRuns: 4_000 },
  );
});

it('tidying changes how a text looks and never what is sent for it, punctuation aside', () => {
  fc.assert(
    fc.property(fc.constantFrom<FieldType>('CPF', 'CNPJ', 'CEP', 'DATE'), typed, (type, text) => {
      const field = onThePage(type);
      const bare = (value: string | undefined): string =>
        (value ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase();
      fc.pre(fieldFault(field, text, TODAY) === null);
      const tidy = tidied(field, text);
      expect(bare(fieldAnswer(field, tidy))).toBe(bare(fieldAnswer(field, text)));
      expect(tidied(field, tidy)).toBe(tidy);
    }),
  );
});

it('counts check digits as the service does', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{11}$|^[0-9A-Z]{12}[0-9]{2}$/), (text) => {
      const parsed = TaxId.parse(text);
      expect(isCpf(text) || isCnpj(text)).toBe(parsed.ok);
    }),
    {
      examples: [
        ['52998224725'],
        ['11111111111'],
        ['11222333000181'],
        ['12ABC34501DE35'],
        ['00000000000000'],
      ],
    },
  );
  expect([...countryCodes].sort()).toEqual([...known].sort());
});

it('sends nothing for what is hidden, whatever was answered before it was', () => {
  const question = (id: string, answer: string | null): NonNullable<Step['questions']>[number] => ({
    id,
    type: 'BOOLEAN',
    label: id,
    required: true,
    options: [],
    constraints: { minLength: null, maxLength: null },
    showIf: answer === null ? null : { answer, equals: true },
  });
  const step: Step = {
    id: 's',
    type: 'QUESTIONNAIRE',
    order: 1,
    required: true,
    status: 'TODO',
    title: 's',
    attempts: 0,
    lastRejection: null,
    questions: [question('a', null), question('b', 'a'), question('c', 'b')],
  };
  expect(flowOf([step], { a: true, b: true, c: false }).answers).toEqual({ a: true, b: true, c: false });
  // c hangs on b, which is hidden now: it is hidden too.
  expect(flowOf([step], { a: false, b: true, c: false }).answers).toEqual({ a: false });
});

it('reads dates as people write them', () => {
  expect(['27/03/1985', '27.3.1985', '27-03-1985', '27031985', '27/03/85', 'x'].map(isoDate)).toEqual([
    '1985-03-27',
    '1985-03-27',
    '1985-03-27',
    '1985-03-27',
    null,
    null,
  ]);
});

it('any colour of an organisation gives readable text: on it, and with it on the page', () => {
  const rgb = (hex: string): [number, number, number] => {
    const part = (from: number): number => parseInt(hex.slice(from, from + 2), 16);
    return [part(1), part(3), part(5)];
  };
  fc.assert(
    fc.property(fc.stringMatching(/^#[0-9a-f]{6}$/), (colour) => {
      const { brand, onBrand, strong } = paletteOf(colour);
      expect(brand).toBe(colour);
      expect(contrast(rgb(onBrand), rgb(brand))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(strong), [244, 246, 249])).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgb(paletteOf(colour, true).strong), [26, 33, 42])).toBeGreaterThanOrEqual(4.5);
    }),
    { examples: [['#ffffff'], ['#ffd400'], ['#000000'], ['#767676']] },
  );
  expect(paletteOf('url(x)')).toEqual(paletteOf(null));
});

it('a document is photographed when it is good twice in a row, later where a code is missing; a face never by itself', () => {
  const look = { flaws: [], print: 0.2, moved: 0, hasCode: false } as const;
  const readyAfter = (looks: LiveLooks, seen: Parameters<LiveLooks['next']>[0]): number => {
    for (let i = 1; i <= 20; i += 1) if (looks.next(seen).ready) return i;
    return Infinity;
  };
  expect(readyAfter(new LiveLooks('document', false), look)).toBe(2);
  expect(readyAfter(new LiveLooks('document', true), look)).toBe(8);
  expect(readyAfter(new LiveLooks('document', true), { ...look, hasCode: true })).toBe(2);
  expect(readyAfter(new LiveLooks('selfie', false), look)).toBe(Infinity);
  const interrupted = new LiveLooks('page', false);
  interrupted.next(look);
  expect(interrupted.next({ ...look, moved: 9 })).toEqual({ hint: 'STILL', ready: false });
  expect(interrupted.next(look)).toEqual({ hint: 'HOLD', ready: false });
  expect(interrupted.next({ ...look, print: 0.01 }).hint).toBe('CLOSER');
  // The frame shows the middle of a wide camera and of an upright one.
  expect(shownPart({ width: 1_920, height: 1_080 }, 4 / 3)).toEqual({
    x: 240,
    y: 0,
    width: 1_440,
    height: 1_080,
  });
  expect(shownPart({ width: 1_080, height: 1_920 }, 4 / 3)).toEqual({
    x: 0,
    y: 555,
    width: 1_080,
    height: 810,
  });
  // A standard webcam has enough points for a face.
  expect(shownPart({ width: 640, height: 480 }, shapeOf('selfie', true))).toMatchObject({ height: 480 });
});
