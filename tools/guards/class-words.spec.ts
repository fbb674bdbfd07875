import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

// Words that NestJS, TypeORM, PostgreSQL, HTTP and plain English give to every reader.
const PLAIN = new Set(
  `accept accepted access address age alert aligned alive amount app apply approval assign assignment attachment
  auditor auth bar based basi body book branding breaker broken bucket builder bulk cache capture circuit codec
  collector column completion compliance connection consistency constraint contract controller create created
  company cross current dampener day declared demo detail difference direct directory disable discard dns domain entity envelope error exact
  exchange experiment expiry external failed failure fault feature field figure filing filter finding flip format former
  fx grant guard handler head health heap histogram host hour http idempotency identified import imported importer
  inclusion incomplete info interceptor invitation invite issued issuer item joining judge judging keeper kyt language
  last leaf legacy lettered library limiter listed live local localised logger logo lookup loop lost me memory merge message
  metric migration mode naming ndjson newest node note object oidc operation option outbound overdue pace paper param
  party password pause payload pdf pending periodic picture piece pool position preparer preview problem processor profile program
  progress prunable pruned public publication publish publisher quality query question queued reader readiness reauthentication
  reconnecting recorder recover refresh refused registry rejection relationship rendered replayed repository
  reopened resolver reusable reuse revealed reviewed rollback rotate rotation route runner s3 schedule schema scoped scoring seal search
  seed segment selector sender setting setup shared sheet signal signer simulated snapshot span staged started statistic
  strategy structured submitted summary survey tag tally target tax telemetry thread throttle tier timeline token totp
  trial tried unavailable unreleased upload ups usage vault verification visit watch window workflow writer year`.split(
    /\s+/,
  ),
);

// Operation ids and a schema of the published API come from these names, so they stay.
const WIRE_NAMES = new Set(['DeskController', 'DeskTransactionView']);

const classWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<=[a-z]{2}[^s])s$/, '');

describe('the words of class names', () => {
  const glossary = new Set(
    readFileSync(path.join(root, 'docs/glossary.md'), 'utf8')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .map(singular),
  );
  const isKnown = (word: string): boolean => PLAIN.has(singular(word)) || glossary.has(singular(word));

  // When this fails, take a word of the field instead, or explain the word in docs/glossary.md.
  it('are plain, or stand in the glossary', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /(?<!\.spec)\.ts$/.test(file) && !file.includes('migrations'),
    );
    const unknown = sources.flatMap((file) =>
      [...readFileSync(path.join(root, 'src', file), 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)]
        .flatMap(([, name = '']) => classWords(name).map((word) => ({ name, word })))
        .filter(({ name, word }) => !isKnown(word) && !WIRE_NAMES.has(name))
        .map(({ name, word }) => `${word} (${name})`),
    );
    expect(unknown).toEqual([]);
  });

  it('of the house that were given up are not known', () => {
    expect(
      ['desk', 'sighting', 'roster', 'crew', 'occasion', 'wish', 'reincarnation'].filter(isKnown),
    ).toEqual([]);
  });
});
