import { createHmac } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { Clock } from '../../kernel/index.js';
import {
  AddressSet,
  CircuitBreaker,
  HostResolver,
  HttpSender,
  OutboundTargets,
  type HttpAnswer,
} from '../../outbound/index.js';
import { failed, missing, type Finding } from '../domain/checks/built-in-checks.js';
import { providerChecks, readVerdict, type ProviderCheck } from '../domain/checks/provider-verdict.js';

/** A file as a provider gets it. */
export interface ProviderImage {
  readonly artifactId: string;
  readonly kind: string;
  readonly side: string | null;
  readonly documentType: string | null;
  readonly mimeType: string;
  readonly content: string;
}

/** A question to a provider: the person as they describe themselves, and the files that the check is about. */
export interface ProviderQuestion {
  readonly session: string;
  readonly person: {
    readonly name: string | null;
    readonly document: string | null;
    readonly birthDate: string | null;
  };
  readonly images: readonly ProviderImage[];
}

// An answer is a line of JSON.
const MAX_ANSWER_BYTES = 65_536;
const BREAKER = { failures: 5, pauseMs: 30_000 } as const;

/**
 * Asks the institution's providers for document, face match and liveness checks: one signed POST each, with a time limit
 * over all of it, no redirects and little patience for a provider that keeps failing. A provider that is not configured
 * leaves its check without input; whatever else goes wrong is an error. Neither is ever a pass.
 */
@Injectable()
export class CheckProviders implements OnApplicationShutdown {
  private readonly sender: HttpSender;
  private readonly breakers = new Map(providerChecks.map((check) => [check, new CircuitBreaker(BREAKER)]));

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
    resolver: HostResolver,
  ) {
    const configured = providerChecks.some((check) => this.urlOf(check) !== null);
    if (configured && settings.checkProviderSecret === null) {
      throw new Error('CHECK_…_URL needs CHECK_PROVIDER_SECRET: requests to providers are signed');
    }
    const targets = new OutboundTargets(
      {
        requireHttps: settings.nodeEnv === 'production',
        allowLoopback: settings.nodeEnv !== 'production',
        allowed: new AddressSet(settings.checkProviderAllowCidrs),
      },
      resolver,
    );
    this.sender = new HttpSender(targets, {
      timeoutMs: settings.checkProviderTimeoutMs,
      readLimitBytes: MAX_ANSWER_BYTES,
      maxFreeSockets: 4,
    });
  }

  onApplicationShutdown(): void {
    this.sender.destroy();
  }

  isConfigured(check: ProviderCheck): boolean {
    return this.urlOf(check) !== null;
  }

  /** Never rejects because of the provider. */
  async ask(check: ProviderCheck, question: ProviderQuestion): Promise<Finding> {
    const url = this.urlOf(check);
    const secret = this.settings.checkProviderSecret;
    const breaker = this.breakers.get(check);
    if (url === null || secret === null || !breaker) return missing('PROVIDER_ABSENT', 'none');
    const source = new URL(url).host;
    if (!breaker.allows(performance.now())) return failed('PROVIDER_CIRCUIT_OPEN', source);
    const finding = judged(check, await this.send(url, secret, check, question), source);
    if (finding.state === 'ERROR') breaker.failedAt(performance.now());
    else breaker.succeeded();
    return finding;
  }

  private send(
    url: string,
    secret: string,
    check: ProviderCheck,
    question: ProviderQuestion,
  ): Promise<HttpAnswer> {
    const body = Buffer.from(JSON.stringify({ version: 1, check, ...question }));
    const timestamp = String(Math.floor(this.clock.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    const service = this.settings.serviceName.toLowerCase();
    return this.sender.send({
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        [`x-${service}-timestamp`]: timestamp,
        [`x-${service}-signature`]: `v1=${signature}`,
      },
      body,
    });
  }

  private urlOf(check: ProviderCheck): string | null {
    switch (check) {
      case 'DOCUMENT':
        return this.settings.checkDocumentUrl;
      case 'FACE_MATCH':
        return this.settings.checkFaceMatchUrl;
      case 'LIVENESS':
        return this.settings.checkLivenessUrl;
      default:
        return check satisfies never;
    }
  }
}

function judged(
  check: ProviderCheck,
  { statusCode, errorCode, truncated, body }: HttpAnswer,
  source: string,
): Finding {
  if (errorCode === 'TIMEOUT') return failed('PROVIDER_TIMEOUT', source);
  if (errorCode !== null) return failed('PROVIDER_UNREACHABLE', source);
  if (statusCode !== 200) return failed('PROVIDER_STATUS', source);
  return truncated ? failed('PROVIDER_TOO_LARGE', source) : readVerdict(check, body.toString('utf8'), source);
}
