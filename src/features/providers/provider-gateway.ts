import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { allowsSandboxScenarios, Settings } from '../../platform/config/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { Clock, magicAnswer, newUuid, publicId } from '../../platform/kernel/index.js';
import { encryptionContextOf, Vault, type SubjectRef } from '../../platform/privacy/index.js';
import { MetricsRegistry } from '../../platform/telemetry/index.js';
import type { ProviderAnswer, DocumentReading, ProviderVerdict } from './domain/answer.js';
import { LATEST_FALLBACK_MS, SANDBOX_URL, type ProviderKind } from './domain/provider.js';
import { ProviderClient } from './provider-client.js';
import { ProvidersService, type Provider } from './providers.service.js';
import { ProviderAnswerEntity } from './store/entities.js';
import { ProviderUsageRepository, type CountedCall } from './store/provider-usage.repository.js';

/** A file in a request to a provider. */
export interface ProviderImage {
  readonly artifactId: string;
  readonly kind: string;
  readonly side: string | null;
  readonly documentType: string | null;
  readonly mimeType: string;
  readonly content: string;
}

/** A request to a provider: the data that the person or company gave, and the files to check. */
export interface ProviderQuestion {
  readonly person: {
    readonly name: string | null;
    readonly document: string | null;
    readonly birthDate: string | null;
    readonly kind?: 'PERSON' | 'COMPANY';
    readonly postalCode?: string | null;
    readonly address?: string | null;
  };
  readonly images: readonly ProviderImage[];
  readonly delivery?: {
    readonly channel: string;
    readonly to: string;
    readonly code: string;
    readonly language: string;
  };
}

/** The session and round that a call is about. */
export interface ProviderCallSubject {
  readonly organisationId: string;
  readonly sessionId: string;
  readonly round: number;
  readonly subject: SubjectRef;
}

/** The first answer, and the providers before it that failed. */
export interface ProviderOutcome {
  readonly verdict: ProviderVerdict | 'ERROR' | 'ABSENT';
  readonly reason: string | null;
  /** The provider that answered, else the last provider that failed; `none` if the organisation has no provider. */
  readonly source: string;
  /** Failed earlier providers (`acme:PROVIDER_TIMEOUT`). SINGLE_CONTROL: one person alone approved the provider. */
  readonly remarks: readonly string[];
  readonly data: DocumentReading | null;
}

type StoredAnswer = Exclude<ProviderAnswer, { verdict: 'ERROR' }>;

/**
 * Calls the providers of an organisation in order until one answers. The answer is stored before it is used, so that a
 * worker that retries after a crash reuses it instead of paying for another call.
 */
@Injectable()
export class ProviderGateway {
  private readonly callCounter: Counter<'kind' | 'result'>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly providers: ProvidersService,
    private readonly client: ProviderClient,
    private readonly usage: ProviderUsageRepository,
    private readonly settings: Settings,
    metrics: MetricsRegistry,
  ) {
    this.callCounter = new Counter({
      name: 'vigia_provider_calls_total',
      help: 'Calls of check providers by kind and result: PASS, FAIL, UNSURE, or the error.',
      labelNames: ['kind', 'result'],
      registers: [metrics.registry],
    });
  }

  /** True if the organisation has a provider for this check, among those named by the flow. */
  async hasProvider(
    organisationId: string,
    kind: ProviderKind,
    named: readonly string[] | undefined,
  ): Promise<boolean> {
    return (await this.providers.listForCheck(organisationId, kind, named)).length > 0;
  }

  /** Returns the sandbox's answer for a magic CPF, for organisations without a provider; null for any other CPF. */
  answerForMagicCpf(document: string | null): ProviderOutcome | null {
    const verdict = allowsSandboxScenarios(this.settings) ? magicAnswer(document) : null;
    if (verdict === null) return null;
    const outcome = { source: 'sandbox', remarks: [], data: null };
    return verdict === 'AWAY'
      ? { verdict: 'ERROR', reason: 'PROVIDER_UNREACHABLE', ...outcome }
      : { verdict, reason: 'MAGIC_DOCUMENT', ...outcome };
  }

  /** Returns an ERROR or ABSENT outcome if no provider answers; a provider's failure never rejects. */
  async call(
    about: ProviderCallSubject,
    kind: ProviderKind,
    named: readonly string[] | undefined,
    question: ProviderQuestion,
  ): Promise<ProviderOutcome> {
    const startedAt = performance.now();
    const remarks: string[] = [];
    let last: string | null = null;
    let lastName = 'none';
    for (const provider of await this.providers.listForCheck(about.organisationId, kind, named)) {
      const { name } = provider;
      const answer = await this.answerOrCall(about, kind, provider, question, performance.now() - startedAt);
      if (answer.verdict !== 'ERROR') {
        const source = provider.url === SANDBOX_URL ? `sandbox:${name}` : name;
        if (provider.singleControl) remarks.push('SINGLE_CONTROL');
        return { ...answer, source, remarks };
      }
      remarks.push(`${name}:${answer.reason}`);
      [last, lastName] = [answer.reason, name];
    }
    return last === null
      ? { verdict: 'ABSENT', reason: 'PROVIDER_ABSENT', source: 'none', remarks, data: null }
      : { verdict: 'ERROR', reason: last, source: lastName, remarks: remarks.slice(0, -1), data: null };
  }

  private async answerOrCall(
    about: ProviderCallSubject,
    kind: ProviderKind,
    provider: Provider,
    question: ProviderQuestion,
    spentMs: number,
  ): Promise<ProviderAnswer> {
    const storedAnswer = await this.findStored(about, kind, provider.name);
    if (storedAnswer) return storedAnswer;
    if (spentMs > LATEST_FALLBACK_MS) return { verdict: 'ERROR', reason: 'PROVIDER_NO_TIME' };
    if (this.client.isBreakerOpen(provider)) return { verdict: 'ERROR', reason: 'PROVIDER_CIRCUIT_OPEN' };
    const startedAt = performance.now();
    const session = publicId('kys', about.sessionId);
    // Each one-time code is a new request. A check that is repeated after a crash keeps its request id.
    const codeSuffix = kind === 'ONE_TIME_CODE' ? `.${newUuid()}` : '';
    const requestId = `${session}.${about.round}.${kind}${codeSuffix}`;
    const answer = await this.client.post(provider, kind, requestId, { ...question, ...{ session } });
    const failure = answer.verdict === 'ERROR' ? answer.reason : null;
    this.callCounter.inc({ kind, result: failure ?? answer.verdict });
    const { organisationId } = about;
    const call = { organisationId, provider: provider.name, costMicros: provider.costMicros };
    const countedCall = { ...call, ms: performance.now() - startedAt, failure };
    if (answer.verdict !== 'ERROR' && kind !== 'ONE_TIME_CODE') {
      return this.storeAnswer(about, kind, answer, countedCall);
    }
    // The answer about a one-time code is not stored, because each code is sent once.
    await this.uow.run(organisationId, (tx) => this.usage.recordCall(tx, countedCall));
    return answer;
  }

  /**
   * Stores an answer; returns the stored answer, which may be of another worker. The call is counted in the same
   * commit, so that a call repeated after a crash is counted once: the provider charges a request id once.
   */
  private async storeAnswer(
    about: ProviderCallSubject,
    kind: ProviderKind,
    answer: StoredAnswer,
    counted: CountedCall,
  ): Promise<ProviderAnswer> {
    const { organisationId, sessionId, round, subject } = about;
    const { provider } = counted;
    const context = contextOf(about, kind, provider);
    const sealed = await this.vault.sealOne(JSON.stringify(answer), subject, context);
    const row = { organisationId, sessionId, round, kind, provider, sealed };
    await this.uow.run(organisationId, async (tx) => {
      const insertion = await tx
        .createQueryBuilder()
        .insert()
        .into(ProviderAnswerEntity)
        .values({ ...row, answeredAt: new Date(this.clock.now()) })
        .orIgnore()
        .returning('provider')
        .execute();
      if ((insertion.raw as unknown[]).length > 0) await this.usage.recordCall(tx, counted);
    });
    return (await this.findStored(about, kind, provider)) ?? answer;
  }

  private async findStored(
    about: ProviderCallSubject,
    kind: ProviderKind,
    name: string,
  ): Promise<StoredAnswer | null> {
    const { organisationId, sessionId, round } = about;
    const row = await this.uow.read(organisationId, (db) =>
      db.findOneBy(ProviderAnswerEntity, { organisationId, sessionId, round, kind, provider: name }),
    );
    if (!row) return null;
    const [opened] = await this.vault.openMany([
      { sealed: row.sealed, context: contextOf(about, kind, name) },
    ]);
    return opened ? (JSON.parse(opened.toString('utf8')) as StoredAnswer) : null;
  }
}

const contextOf = (
  { organisationId, sessionId, round }: ProviderCallSubject,
  kind: string,
  name: string,
): string => encryptionContextOf('provider_answers', `${sessionId}/${round}/${kind}/${name}`, organisationId);
