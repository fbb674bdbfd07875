import { Injectable } from '@nestjs/common';
import type { Options } from '@node-rs/argon2';
import { Settings } from '../../../platform/config/index.js';
import { invalid, type DomainError } from '../../../platform/kernel/index.js';
import { PasswordProcess, type PasswordCaller } from './password-process.js';

export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

// OWASP Password Storage Cheat Sheet and ASVS 5.0 appendix C: 46 MiB, one pass, one lane. Argon2id is the library's default.
const ARGON2: Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

// A hash that no password matches, as slow to verify as a real hash: salt and digest are random.
const DUMMY_HASH =
  '$argon2id$v=19$m=47104,t=1,p=1$0l2Wc0YqJ3n5h8dQwT1r9A$k9Jm3vX0sYbq2o7WcH4tLr8Zf1uEaGi6NdPy5xKvRQc';

// The threshold of zxcvbn's highest score, "very unguessable: strong protection from offline slow-hash scenario".
const MIN_GUESSES_LOG10 = 10;
/** The words that an attacker tries first here, in addition to the name and address of the person. */
const CONTEXT_WORDS = [
  'vigia',
  'kyt',
  'kyc',
  'compliance',
  'operator',
  'operador',
  'admin',
  'brasil',
  'banco',
  'pix',
];

/** Hashes and verifies passwords, and refuses weak passwords. */
@Injectable()
export class Passwords {
  constructor(
    private readonly process: PasswordProcess,
    private readonly settings: Settings,
  ) {}

  /** Returns the Argon2id hash of a password in PHC form. */
  async hash(password: string, asker: PasswordCaller): Promise<string> {
    const task = { kind: 'hash', password: normalise(password), options: ARGON2 } as const;
    return (await this.process.perform(task, asker)) as string;
  }

  /** True if the password matches the hash. If `hash` is null, false after the same work. */
  async verify(hash: string | null, password: string, asker: PasswordCaller): Promise<boolean> {
    const task = { kind: 'verify', password: normalise(password), hash: hash ?? DUMMY_HASH } as const;
    const matches = (await this.process.perform(task, asker)) as boolean;
    return matches && hash !== null;
  }

  /**
   * Throws VALIDATION_FAILED for a password that is too short, too long, or among the first 10^10 guesses of a cracker:
   * 49,000 leaked passwords, English and Brazilian Portuguese words and names, words of the context (`own`: name and
   * address), keyboard runs, repetitions, dates, and combinations of these.
   */
  async requireStrong(password: string, own: readonly string[], asker: PasswordCaller): Promise<void> {
    const length = Array.from(normalise(password)).length;
    if (length < PASSWORD_LENGTH.min) {
      throw refusal('TOO_SHORT', `Must have at least ${PASSWORD_LENGTH.min} characters.`);
    }
    if (length > PASSWORD_LENGTH.max) {
      throw refusal('TOO_LONG', `Must have at most ${PASSWORD_LENGTH.max} characters.`);
    }
    const context = [...CONTEXT_WORDS, this.settings.serviceName, ...own.flatMap(wordsOf)].map((word) =>
      word.toLowerCase(),
    );
    const task = { kind: 'guesses', password: normalise(password), context } as const;
    const guesses = (await this.process.perform(task, asker)) as number;
    if (guesses < MIN_GUESSES_LOG10) {
      throw refusal(
        'PASSWORD_GUESSABLE',
        'Is easily guessed: avoid common passwords, names, dates and rows of keys.',
      );
    }
  }
}

/**
 * Normalises a password (NFKC): the same characters from different keyboards are the same password (NIST SP 800-63B,
 * 5.1.1.2).
 */
const normalise = (password: string): string => password.normalize('NFKC');

const wordsOf = (text: string): string[] =>
  [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((w) => w.length > 2);

const refusal = (code: string, message: string): DomainError => invalid('password', code, message);
