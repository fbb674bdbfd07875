import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { variable } from './environment.js';
import { LauncherError } from './launcher-error.js';
import { writePrivate } from './private-files.js';

/** Where each secret stands in `secrets.json`, by the environment variable that the service reads. */
const variables = {
  KEY_RING: 'keyRing',
  AUDIT_KEYS: 'auditKeys',
  INDEX_KEY: 'indexKey',
  CLIENT_SECRET_PEPPER: 'clientSecretPepper',
} as const;

type Variable = keyof typeof variables;
export type DevelopmentSecrets = Readonly<Record<Variable, string>>;

const names = Object.keys(variables) as Variable[];
const newKey = (): string => randomBytes(32).toString('base64');

/**
 * The secrets of a development installation: those of the environment, the rest from `secrets.json`, made once.
 * `hasData` says that the folder holds a database already: new keys could not read it, so none are made then.
 */
export function developmentSecrets(
  dir: string,
  env: NodeJS.ProcessEnv,
  hasData: boolean,
): DevelopmentSecrets {
  const missing = names.filter((name) => variable(env, name) === undefined);
  const stored = missing.length === 0 ? {} : storedSecrets(path.join(dir, 'secrets.json'), hasData, missing);
  const valueOf = (name: Variable): string => variable(env, name) ?? stored[variables[name]] ?? '';
  return {
    KEY_RING: valueOf('KEY_RING'),
    AUDIT_KEYS: valueOf('AUDIT_KEYS'),
    INDEX_KEY: valueOf('INDEX_KEY'),
    CLIENT_SECRET_PEPPER: valueOf('CLIENT_SECRET_PEPPER'),
  };
}

function storedSecrets(file: string, hasData: boolean, missing: readonly Variable[]): Record<string, string> {
  if (!existsSync(file)) {
    if (hasData) {
      throw new LauncherError(
        `${file} is missing, but there is a database beside it that was written with those keys.\n` +
          `Restore the file, set ${missing.join(', ')}, or delete the folder ${path.dirname(file)} to start afresh.`,
      );
    }
    write(file, {
      keyRing: `k1:${newKey()}`,
      auditKeys: `a1:${newKey()}`,
      indexKey: newKey(),
      clientSecretPepper: newKey(),
    });
  }
  const stored = parse(file);
  // A file of before there was a signed log: nothing was signed with the key that is missing.
  if (stored['keyRing'] !== undefined && stored['auditKeys'] === undefined) {
    stored['auditKeys'] = `a1:${newKey()}`;
    write(file, stored);
  }
  const absent = missing.filter((name) => !stored[variables[name]]);
  if (absent.length === 0) return stored;
  throw new LauncherError(
    `${file} has no usable ${absent.map((name) => variables[name]).join(', ')}. Restore the file, or set ${absent.join(', ')}.`,
  );
}

const write = (file: string, secrets: Readonly<Record<string, string>>): void => {
  writePrivate(file, `${JSON.stringify(secrets, null, 2)}\n`);
};

/** The text values of the file. Not a word of its content goes into an error. */
function parse(file: string): Record<string, string> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new LauncherError(`${file} cannot be read as JSON. Restore it from a copy.`);
  }
  const entries = Object.entries(typeof content === 'object' && content !== null ? content : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
