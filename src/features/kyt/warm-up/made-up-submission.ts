import { randomInt } from 'node:crypto';
import { newUuid } from '../../../platform/kernel/ids.js';
import { madeUpCnpj } from '../../../platform/kernel/values/made-up-tax-ids.js';
import type { SubmittedTransaction } from '../domain/submission/submission.js';
import { scenarioOf } from '../domain/sandbox/scenarios.js';

// Twelve characters of 36: by chance nobody has one of these CNPJs, as nobody has a customer's UUID.
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const ROOT_LENGTH = 12;
// Most transactions are released; some open a case or ask for a session.
const NAMES = ['release', 'release', 'release', 'release', 'hold', 'challenge'] as const;

const unknownCnpj = (): string =>
  madeUpCnpj(Array.from({ length: ROOT_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(''));

/** Returns a transaction between two companies that do not exist, which no list names and nobody sent. */
export function madeUpSubmission(now: number): SubmittedTransaction {
  const person = { customer: newUuid(), cpf: unknownCnpj(), now };
  return {
    transactionId: newUuid(),
    channel: 'MOBILE_APP',
    currency: 'BRL',
    occurredAt: new Date(now).toISOString(),
    ...scenarioOf(NAMES[randomInt(NAMES.length)] ?? 'release').inputs(person),
    destination: {
      name: 'Loja Exemplo',
      cpfCnpj: unknownCnpj(),
      accountReference: newUuid(),
      country: 'BR',
    },
  };
}
