import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StructuredLogger } from './logger.js';
import { containsSecretOrTaxId, redact, redactStack } from './redaction.js';

const SECRET = `vsk_${'aB3-_'.repeat(8)}xyz`;
const SESSION = 'ses_Zk9m2Qy7Vb4Xr8Tn1Lw6Jd3Hs5';

describe('redact', () => {
  it.each([
    ['customer 52998224725 failed', 'customer [tax id] failed'],
    ['customer 529.982.247-25, twice: 529.982.247-25', 'customer [tax id], twice: [tax id]'],
    ['{"cpf":"52998224725"}', '{"cpf":"[tax id]"}'],
    ['cpf_52998224725', 'cpf_[tax id]'],
    ['cpf52998224725x', 'cpf[tax id]x'],
    ['wrong digits 12345678900', 'wrong digits [tax id]'],
    ['company 11222333000181', 'company [tax id]'],
    ['company 11.222.333/0001-81', 'company [tax id]'],
    ['company 12ABC34501DE35', 'company [tax id]'],
    ['company 12.ABC.345/01DE-35', 'company [tax id]'],
    [`secret ${SECRET}!`, 'secret vsk_[redacted]!'],
    [`refresh vrt_${'aB3-_'.repeat(8)}xyz`, 'refresh vrt_[redacted]'],
    ['Bearer eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJvcHIifQ.c2ln, twice', 'Bearer [token], twice'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==', 'whsec_[redacted]'],
    ['postgres://vigia:pa55:word@db:5432/x', 'postgres://vigia:[redacted]@db:5432/x'],
    [`GET /kyc-sessions/${SESSION}/public`, 'GET /kyc-sessions/ses_[redacted]/public'],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it.each([
    'transaction 019364d0-c0de-7000-a000-000000000001 failed at COMMIT (DATABASE_23505), attempt 5',
    'evt_01999e8e7c5b7d0f9a3c5f2d1b4e6a80 of req_01a1f93509a474db8d53dcde9929ebdc',
    'Mapped {/kyt/transactions/:transactionId, GET} route',
    'at 2026-11-20T13:46:05.103Z after 1763646365103 ms',
  ])('leaves alone: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('lets no CPF through, whatever stands around it', () => {
    const around = fc.string({ unit: fc.constantFrom(...'abcdefxyz_ :"{}[]=/?&\n'), maxLength: 8 });
    fc.assert(
      fc.property(around, around, fc.boolean(), (before, after, dotted) => {
        const cpf = dotted ? '529.982.247-25' : '52998224725';
        expect(redact(before + cpf + after)).not.toContain(cpf);
      }),
    );
  });
});

describe('redactStack', () => {
  it.each([
    [
      'SyntaxError: Unexpected token M in "{"name":"Maria"}" is not valid',
      'SyntaxError: Unexpected token M in "…" is not valid',
    ],
    ['error: invalid input syntax for type uuid: "Maria"', 'error: invalid input syntax for type uuid: "…"'],
    ['error: relation "kyt_work" does not exist', 'error: relation "kyt_work" does not exist'],
    ['error: "a" and "Maria Exemplo"', 'error: "…"'],
    ['Error: {"cpf":"x","name":"Maria"}\n    at f (/x/y.js:1:2)', 'Error: {"…"}\n    at f (/x/y.js:1:2)'],
    ['Error: no quotes\n    at f (/x/y.js:1:2)', 'Error: no quotes\n    at f (/x/y.js:1:2)'],
  ])('%j', (stack, redacted) => {
    expect(redactStack(stack)).toBe(redacted);
  });
});

describe('containsSecretOrTaxId', () => {
  it.each([
    '52998224725',
    '529.982.247-25',
    'order:52998224725',
    'x_11222333000181',
    '12.ABC.345.01DE-35',
    SECRET,
    SESSION,
  ])('true for %s', (identifier) => {
    // A slash cannot be in an identifier; where it stands in a CNPJ, callers write something else or nothing.
    expect(containsSecretOrTaxId(identifier.replace('345.01', '345-01'))).toBe(true);
  });

  it.each([
    'order-4711',
    '52998224726',
    '20261120134605',
    '5f0c2a4e-2f0b-4d7e-9a55-0b7f0f9c2a11',
    'req_01a1f93509a474db8d53dcde9929ebdc',
    'ses_1',
    'vsk_test',
  ])('false for %s', (identifier) => {
    expect(containsSecretOrTaxId(identifier)).toBe(false);
  });
});

describe('StructuredLogger', () => {
  const logged = (use: (logger: StructuredLogger) => void): Record<string, unknown>[] => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    use(new StructuredLogger({ level: 'info', file: null, name: 'Vigia', role: 'all' }, sink));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('writes one JSON object per line, with message, context and stack redacted', () => {
    // ASVS 1.3.10, 16.2.1, 16.2.2, 16.2.4
    const [line] = logged((logger) => {
      logger.error('customer 52998224725', 'Error: of "Maria"\n    at f', 'Context');
    });
    expect(line).toMatchObject({
      level: 'error',
      service: 'Vigia',
      msg: 'customer [tax id]',
      context: 'Context',
      stack: 'Error: of "…"\n    at f',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('never writes an object whole: of an error its stack, of anything else its type', () => {
    // ASVS 16.3.4
    const lines = logged((logger) => {
      logger.warn({ cpf: '52998224725', name: 'Maria' });
      logger.error(Object.assign(new Error('of "Maria"'), { parameters: ['52998224725'] }), {
        body: 'Maria',
      });
    });
    expect(lines[0]).toMatchObject({ level: 'warn', msg: 'unexpected log value of type object' });
    expect(lines[1]?.['msg']).toMatch(/^Error: of "…"\n {4}at /);
    expect(JSON.stringify(lines)).not.toMatch(/Maria|5299822/);
  });

  it('keeps to one line what tries to be two', () => {
    // ASVS 1.3.3, 16.4.1
    expect(
      logged((logger) => {
        logger.log('a\n{"level":"fatal"}');
      }),
    ).toHaveLength(1);
  });
});
