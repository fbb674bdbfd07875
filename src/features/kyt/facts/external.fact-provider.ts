import { createHmac } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import {
  AddressSet,
  CircuitBreaker,
  HostResolver,
  HttpSender,
  OutboundProxy,
  OutboundTargets,
} from '../../../platform/outbound/index.js';
import type { FactSheet, ComponentFindings } from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { FactProvider } from '../domain/facts/evidence.js';
import {
  readProviderAnswer,
  type ProviderProblem,
  type ProviderResult,
} from '../domain/facts/provider-answer.js';

const FEATURES = ['evidence.score', 'evidence.flags'] as const;
// Maximum size of an answer: a batch has at most 250 results of 3 kB each.
const MAX_ANSWER_BYTES = 1_048_576;
const BREAKER = { failures: 5, pauseMs: 30_000 } as const;

type Answer = ReadonlyMap<string, ProviderResult | null> | ProviderProblem;

/**
 * Asks the institution's own service about a batch: one signed POST, with a time limit, no redirects and an answer of
 * at most a megabyte. A failure of the service does not fail the batch: facts that it did not give are ERROR.
 */
@Injectable()
export class ExternalFactProvider implements FactProvider, OnApplicationShutdown {
  // The service is not a component of the score; only rules read its facts.
  readonly components = [] as const;
  readonly sources = ['EVIDENCE'] as const;
  private readonly sender: HttpSender;
  private readonly breaker = new CircuitBreaker(BREAKER);

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    resolver: HostResolver,
    proxy: OutboundProxy,
  ) {
    const targets = new OutboundTargets(
      {
        requireHttps: settings.nodeEnv === 'production',
        allowLoopback: settings.nodeEnv !== 'production',
        allowed: new AddressSet(settings.evidenceAllowCidrs),
      },
      resolver,
      proxy,
    );
    this.sender = new HttpSender(targets, {
      timeoutMs: settings.evidenceTimeoutMs,
      readLimitBytes: MAX_ANSWER_BYTES,
      maxFreeSockets: 4,
    });
  }

  onApplicationShutdown(): void {
    this.sender.destroy();
  }

  /** Returns why EVIDENCE_URL cannot be connected to, as a code; null if it can or is not set. */
  async reach(): Promise<string | null> {
    return this.settings.evidenceUrl === null ? null : this.sender.reach(this.settings.evidenceUrl);
  }

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    const { evidenceUrl: url, evidenceSecret: secret } = this.settings;
    if (url === null || secret === null) {
      for (const sheet of sheets) setBothUnknown(sheet, 'MISSING', 'NO_EVIDENCE_PROVIDER');
    } else {
      const answer = await this.ask(url, secret, batch);
      batch.forEach(({ id }, i) => {
        const sheet = sheets[i];
        if (sheet) setResult(sheet, answer, publicId('txn', id));
      });
    }
    return batch.map(() => ({}));
  }

  /** Calls nothing: the institution's own service must not learn of a dry-run. */
  dryRun(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    for (const sheet of sheets) setBothUnknown(sheet, 'SKIPPED', 'DRY_RUN');
    return Promise.resolve(batch.map(() => ({})));
  }

  private async ask(url: string, secret: string, batch: readonly DecryptedTransaction[]): Promise<Answer> {
    if (!this.breaker.allows(performance.now())) return 'EVIDENCE_CIRCUIT_OPEN';
    const body = Buffer.from(JSON.stringify({ version: 1, transactions: batch.map(questionOf) }));
    const timestamp = String(Math.floor(this.clock.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    const answer = await this.sender.send({
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [`x-${this.settings.serviceName.toLowerCase()}-timestamp`]: timestamp,
        [`x-${this.settings.serviceName.toLowerCase()}-signature`]: `v1=${signature}`,
      },
      body,
    });
    const parsedAnswer = readAnswer(answer);
    if (typeof parsedAnswer === 'string') this.breaker.recordFailure(performance.now());
    else this.breaker.recordSuccess();
    return parsedAnswer;
  }
}

function readAnswer({
  statusCode,
  errorCode,
  truncated,
  body,
}: Awaited<ReturnType<HttpSender['send']>>): Answer {
  if (errorCode === 'TIMEOUT') return 'EVIDENCE_TIMEOUT';
  if (errorCode !== null) return 'EVIDENCE_UNREACHABLE';
  if (statusCode !== 200) return 'EVIDENCE_STATUS';
  return truncated ? 'EVIDENCE_TOO_LARGE' : readProviderAnswer(body.toString('utf8'));
}

/** Returns the question about a transaction. It identifies the customer and no other person. */
const questionOf = ({ id, submission }: DecryptedTransaction): object => ({
  id: publicId('txn', id),
  type: submission.type,
  channel: submission.channel,
  amount: submission.amount,
  currency: submission.currency,
  occurredAt: submission.occurredAt.toISOString(),
  direction: submission.direction.value,
  externalCustomerId: submission.externalCustomerId,
  document: submission.taxId && !submission.taxId.isMasked ? submission.taxId.canonical() : null,
});

function setResult(sheet: FactSheet, answer: Answer, id: string): void {
  const problem = typeof answer === 'string' ? answer : null;
  const result = typeof answer === 'string' ? undefined : answer.get(id);
  if (problem !== null) setBothUnknown(sheet, 'ERROR', problem);
  else if (result === undefined) setBothUnknown(sheet, 'ERROR', 'EVIDENCE_FORGOTTEN');
  else if (result === null) setBothUnknown(sheet, 'ERROR', 'EVIDENCE_MALFORMED');
  else {
    if (result.score === null) sheet.setUnknown('evidence.score', 'MISSING', 'NOT_SAID');
    else sheet.set('evidence.score', result.score);
    sheet.set('evidence.flags', result.flags);
  }
}

function setBothUnknown(sheet: FactSheet, state: 'MISSING' | 'SKIPPED' | 'ERROR', reason: string): void {
  for (const name of FEATURES) sheet.setUnknown(name, state, reason);
}
