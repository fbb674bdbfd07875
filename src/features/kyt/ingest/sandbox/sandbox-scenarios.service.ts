import { Injectable } from '@nestjs/common';
import { allowsSandboxScenarios, Settings } from '../../../../platform/config/index.js';
import { clientBucket, RateLimiter, type ClientPrincipal } from '../../../../platform/http/index.js';
import { didYouMean, DomainError, errorAt } from '../../../../platform/kernel/index.js';
import { scenarioNames, scenarioOf, applyScenario } from '../../domain/sandbox/scenarios.js';
import type { SubmittedTransaction } from '../../domain/submission/submission.js';

const DEBT_SECONDS = 2;
const PATH = 'metadata.sandboxScenario';

/** Applies the scenario that a submission names. Only the sandbox has scenarios. */
@Injectable()
export class SandboxScenariosService {
  readonly isOpen: boolean;

  constructor(
    private readonly limiter: RateLimiter,
    settings: Settings,
  ) {
    this.isOpen = allowsSandboxScenarios(settings);
  }

  /** Throws SANDBOX_ONLY in an environment without scenarios. */
  requireOpen(): void {
    if (this.isOpen) return;
    throw errorAt('SANDBOX_ONLY', PATH, 'VALUE_NOT_ALLOWED', 'This environment has no scenarios.');
  }

  /** Returns the submission with the inputs of the scenario that it names; unchanged if it names none. */
  applyScenario(client: ClientPrincipal, body: SubmittedTransaction, now: number): SubmittedTransaction {
    const name = body.metadata?.['sandboxScenario'] ?? null;
    if (name === null) return body;
    this.requireOpen();
    const scenario = scenarioNames.find((known) => known === name);
    if (scenario === undefined) throw unknownScenario(name);
    if (scenarioOf(scenario).spendsBurst) this.spendBurst(client);
    return applyScenario(body, scenario, now);
  }

  /** Spends the burst and two seconds of refill, a debt that a batch may also cause. The limiter never rejects. */
  private spendBurst(client: ClientPrincipal): void {
    const { burst, perSecond } = client.rateLimit;
    const cost = Math.ceil(burst + DEBT_SECONDS * perSecond);
    void this.limiter.take(clientBucket(client), client.rateLimit, cost, { prepaid: 1 });
  }
}

function unknownScenario(name: unknown): DomainError {
  const suggestion = typeof name === 'string' ? didYouMean(name, scenarioNames) : undefined;
  return new DomainError('VALIDATION_FAILED', {
    details: [
      {
        path: PATH,
        code: 'VALUE_NOT_ALLOWED',
        message: 'Must be one of the scenarios that GET /sandbox/scenarios lists.',
        expected: scenarioNames.join(', '),
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  });
}
