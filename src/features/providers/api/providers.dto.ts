import { Field, View } from '../../../platform/http/index.js';
import { LONGEST_CALL_MS, PROVIDER_NAME, providerKinds, type ProviderKind } from '../domain/provider.js';
import type { Provider, ProviderUsage } from '../providers.service.js';

/** The request body to add or change a provider, with the reason. */
export class ProviderBody {
  @Field.text('How flows and findings call it.', {
    max: 40,
    pattern: PROVIDER_NAME,
    form: 'small letters, digits and hyphens',
    example: 'acme-id',
  })
  name: string;

  @Field.enums(providerKinds, 'What it is asked about.', { example: ['DOCUMENT'] }) checks: ProviderKind[];

  @Field.text('Where it is asked; `sandbox:double` answers by test values, in the sandbox only.', {
    maxLength: 500,
    example: 'https://id.acme.example/vigia',
  })
  url: string;

  @Field.integer('Total time of one call, in milliseconds.', {
    min: 50,
    max: LONGEST_CALL_MS,
    optional: true,
    example: 10_000,
  })
  timeoutMs?: number;

  @Field.integer('What one call costs, in millionths of a real.', {
    min: 0,
    max: 1_000_000_000,
    optional: true,
    example: 850_000,
  })
  costMicros?: number;

  @Field.integer('The smaller one is asked first, where a flow names none.', {
    min: 0,
    max: 1_000,
    optional: true,
    example: 100,
  })
  rank?: number;

  @Field.flag('Whether its requests are signed with another secret from then on.', { optional: true })
  newSecret?: boolean;

  @Field.string('The reason, in your own words.', {
    minLength: 10,
    maxLength: 2000,
    example: 'Contract 2026/17 with Acme begins.',
  })
  reason: string;
}

export class ProviderUsageView {
  @View.text('The day, as `YYYY-MM-DD`.', { format: 'date', example: '2026-11-20' }) day: string;
  @View.integer('Calls that were made.', { example: 412 }) calls: number;
  @View.integer('Those that had no answer that could be used.', { example: 3 }) failures: number;
  @View.integer('In millionths of a real.', { example: 350_200_000 }) costMicros: number;
  @View.integerOrNull('Mean of the calls, in milliseconds.', { example: 640 }) meanMs: number | null;

  static of({ day, calls, failures, costMicros, totalMs }: ProviderUsage): ProviderUsageView {
    return {
      ...{ day, calls, failures, costMicros: Number(costMicros) },
      meanMs: calls === 0 ? null : Math.round(Number(totalMs) / calls),
    };
  }
}

// After this many failures in a row, the circuit breaker of a process skips a provider for 30 s.
const FAILURES_UNTIL_OPEN = 5;

export class ProviderView {
  @View.text('The name of the provider.', { example: 'acme-id' }) name: string;
  @View.integer('The version of the provider.', { example: 2 }) version: number;
  @View.enums(providerKinds, 'Which checks it does.', { example: ['DOCUMENT'] }) checks: readonly string[];
  @View.text('The address of the provider.', { example: 'https://id.acme.example/vigia' }) url: string;
  @View.integer('Total time of one call.', { example: 10_000 }) timeoutMs: number;
  @View.integer('What one call costs, in millionths of a real.', { example: 850_000 }) costMicros: number;
  @View.integer('The smaller one is asked first.', { example: 100 }) rank: number;
  @View.flag('Whether it is asked at all.', { example: true }) enabled: boolean;
  @View.flag('Whether one person alone approved this version.', { example: false }) singleControl: boolean;

  @View.enum(
    ['NEVER_ASKED', 'OK', 'FAILING', 'CIRCUIT_OPEN', 'DISABLED'],
    'FAILING: the newest call failed. CIRCUIT_OPEN: five and more in a row did, and it is left alone for a while.',
    { example: 'OK' },
  )
  health: string;

  @View.textOrNull('Why the newest failed call failed.', { example: 'PROVIDER_TIMEOUT' })
  lastFailure: string | null;

  @View.instantOrNull('When the newest failed call was made.') lastFailureAt: string | null;
  @View.instantOrNull('When it last gave an answer that could be used.') lastAnswerAt: string | null;
  @View.list(ProviderUsageView, 'The last thirty days, the newest first.') usage: ProviderUsageView[];
  @View.instant('When the provider was created.') createdAt: string;

  static of(provider: Provider, usage: readonly ProviderUsage[]): ProviderView {
    const providerUsage = usage.filter((day) => day.provider === provider.name);
    const { name, version, checks, url, timeoutMs, costMicros, rank, enabled, singleControl } = provider;
    const failed = providerUsage.find(({ lastFailureAt }) => lastFailureAt !== null);
    const answered = providerUsage.find(({ lastAnswerAt }) => lastAnswerAt !== null);
    return {
      ...{ name, version, checks, url, timeoutMs, costMicros, rank, enabled, singleControl },
      health: healthOf(provider, providerUsage[0]),
      lastFailure: failed?.lastFailure ?? null,
      lastFailureAt: failed?.lastFailureAt?.toISOString() ?? null,
      lastAnswerAt: answered?.lastAnswerAt?.toISOString() ?? null,
      usage: providerUsage.map((day) => ProviderUsageView.of(day)),
      createdAt: provider.createdAt.toISOString(),
    };
  }
}

function healthOf({ enabled }: Provider, newest: ProviderUsage | undefined): string {
  if (!enabled) return 'DISABLED';
  if (!newest) return 'NEVER_ASKED';
  if (newest.failuresInRow === 0) return 'OK';
  return newest.failuresInRow >= FAILURES_UNTIL_OPEN ? 'CIRCUIT_OPEN' : 'FAILING';
}

export class ProvidersView {
  @View.list(ProviderView, 'In the order in which they are asked.') providers: ProviderView[];
}

export class ProviderSecretView {
  @View.text('Signs the requests to it (docs/providers.md).', { example: 'PROVIDER_SECRET_EXAMPLE' })
  secret: string;
}
