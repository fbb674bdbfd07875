import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { DomainError } from '../../../platform/kernel/index.js';
import { RulesetsService, unpackFacts } from '../../rules/index.js';
import { BUNDLED_BODY_VERSION, type ReceiptBundle } from '../domain/replay.js';
import { UnknownBodyVersionError } from '../domain/stored/stored-body.js';
import { receiptText } from '../domain/stored/stored-packing.js';
import { BodyEncryption } from '../ingest/body-encryption.js';
import { KytEvaluationEntity, KytTransactionEntity } from '../store/entities.js';

interface Pins {
  readonly ruleset: { readonly contentHash: string } | null;
  readonly champion?: { readonly contentHash: string };
  readonly shadows?: readonly { readonly contentHash: string }[];
}

/** Bundles everything that is needed to replay an evaluation without this service. */
@Injectable()
export class ReceiptExportService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly rulesets: RulesetsService,
    private readonly bodyEncryption: BodyEncryption,
  ) {}

  /**
   * Returns the receipt of an evaluation (by default of the newest) with its facts, rulesets and submission. The
   * submission holds personal data, for which the exporter is responsible.
   */
  async createBundle(
    organisationId: string,
    transactionRef: string,
    version: number | null,
  ): Promise<ReceiptBundle> {
    const [evaluation, transaction] = await this.uow.read(organisationId, async (db) => [
      await db.findOne(KytEvaluationEntity, {
        where: { organisationId, transactionRef, ...(version !== null && { evaluationVersion: version }) },
        order: { evaluationVersion: 'DESC' },
      }),
      await db.findOneBy(KytTransactionEntity, { organisationId, id: transactionRef }),
    ]);
    if (!evaluation?.facts || !transaction) throw new DomainError('EVALUATION_NOT_FOUND');
    const receipt = receiptText(evaluation.receipt);
    const { ruleset, champion, shadows = [] } = JSON.parse(receipt) as Pins;
    const hashes = [ruleset, champion, ...shadows].flatMap((pin) => (pin ? [pin.contentHash] : []));
    return {
      format: 'vigia-receipt/1',
      receipt,
      receiptHash: evaluation.receiptHash.toString('hex'),
      facts: unpackFacts(evaluation.facts).toString('base64'),
      rulesets: await this.rulesets.readContents(organisationId, hashes),
      input: await this.readInput(transaction),
    };
  }

  private async readInput(transaction: KytTransactionEntity): Promise<ReceiptBundle['input']> {
    const { id: transactionRef, organisationId, source, transactionId, receivedAt, sealedBody } = transaction;
    const [opened] = await this.bodyEncryption.openMany([
      { transactionRef, organisationId, bytes: sealedBody },
    ]);
    // After the erasure of a participant the body does not match its hash any more.
    if (opened?.kind !== 'open' || opened.erased.length > 0) return null;
    if (opened.version !== BUNDLED_BODY_VERSION) throw new UnknownBodyVersionError(opened.version);
    return { source, transactionId, receivedAt: receivedAt.toISOString(), body: opened.body };
  }
}
