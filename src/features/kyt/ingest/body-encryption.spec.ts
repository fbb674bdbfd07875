import { readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Vault, type BlindIndex } from '../../../platform/privacy/index.js';
import type { IngestTransactionBody, ParticipantBody } from '../contract/ingest-transaction.dto.js';
import type { LegacyCustomerBody, LegacyTransactionBody } from '../contract/legacy-transaction.dto.js';
import { mapStoredBody } from '../domain/stored/stored-body.js';
import type {
  SubmittedLegacyTransaction,
  SubmittedParticipant,
  SubmittedTransaction,
} from '../domain/submission/submission.js';
import { BodyEncryption, type DecryptedBody } from './body-encryption.js';
import { TransactionDecrypter } from '../pipeline/transaction-decrypter.js';

interface Golden {
  readonly key: { readonly id: string; readonly bytes: string };
  readonly transactionRef: string;
  readonly organisationId: string;
  readonly receivedAt: string;
  readonly transactionId: string;
  readonly stored: Record<'INGEST' | 'LEGACY', string>;
  readonly submissions: Record<'INGEST' | 'LEGACY', unknown>;
}

const fixture = (name: string): Golden =>
  JSON.parse(
    readFileSync(new URL(`../../../../test/fixtures/stored/${name}`, import.meta.url), 'utf8'),
  ) as Golden;
/** Bodies that were sealed and stored on 20 November 2026, and what they said. */
const golden = fixture('bodies-1.json');
/** The same, as they are stored since 25 November 2026. */
const packed = fixture('bodies-2.json');
const key = { id: golden.key.id, bytes: Buffer.from(golden.key.bytes, 'base64') };
const keys = { findByKeyId: () => Promise.resolve(new Map([[key.id, key]])), findCachedKey: () => key };
const bodies = new BodyEncryption(new Vault(keys as never, {} as BlindIndex));

async function open(bytes: Buffer): Promise<DecryptedBody> {
  const { transactionRef, organisationId } = golden;
  const [opened] = await bodies.openMany([{ transactionRef, organisationId, bytes }]);
  return opened!;
}

const bytesOf = (source: 'INGEST' | 'LEGACY', { stored } = golden): Buffer =>
  Buffer.from(stored[source], 'base64');

describe('a stored body', () => {
  it.each([
    ['INGEST', 'as JSON', golden],
    ['LEGACY', 'as JSON', golden],
    ['INGEST', 'packed', packed],
    ['LEGACY', 'packed', packed],
  ] as const)(
    'that came as %s and was stored %s reads as it did when it was stored',
    async (source, _how, stored) => {
      const opened = await open(bytesOf(source, stored));
      if (opened.kind !== 'open') throw new Error(opened.kind);
      const { transactionId } = golden;
      const read = mapStoredBody(opened, { source, receivedAt: new Date(golden.receivedAt), transactionId });
      // Cards are read since: an older body names none.
      expect(JSON.parse(JSON.stringify(read))).toEqual({
        ...(golden.submissions[source] as object),
        cardId: null,
      });
      expect([read.taxId?.canonical(), read.destination.taxId?.canonical() ?? null]).toEqual(
        source === 'INGEST' ? ['52998224725', '11144477735'] : ['52998224725', null],
      );
    },
  );

  it('of a version that this release does not know is not read by the reader of another one', async () => {
    const later = Buffer.concat([Buffer.from([3]), bytesOf('INGEST').subarray(1)]);
    expect(await open(later)).toEqual({ kind: 'unknown', version: 3 });
    const { transactionRef: id, organisationId } = golden;
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const claimed = [{ id, organisationId, sealedBody: later }] as never;
    const [read] = await new TransactionDecrypter(bodies).decryptAndRead(claimed);
    expect(read?.result).toEqual({ failure: { code: 'BODY_NOT_UNDERSTOOD', stage: 'OPEN' } });
    expect(logged.mock.calls).toEqual([
      [`the stored body of transaction ${id} cannot be mapped: UnknownBodyVersion`],
    ]);
    expect(() => mapStoredBody({ version: 2, body: {} }, {} as never)).toThrow('version 2');
  });

  it('has the fields that the API takes: one with another name needs a new version', () => {
    // These lines do not compile when the names differ.
    const same: [
      Same<keyof IngestTransactionBody, keyof SubmittedTransaction>,
      Same<keyof ParticipantBody, keyof SubmittedParticipant>,
      Same<keyof LegacyTransactionBody, keyof SubmittedLegacyTransaction>,
      Same<keyof LegacyCustomerBody, keyof SubmittedLegacyTransaction['customer']>,
    ] = [true, true, true, true];
    expect(same).not.toContain(false);
  });
});

type Same<A, B> = [A, B] extends [B, A] ? true : false;
