import type { ProviderAnswer } from './answer.js';
import type { ProviderKind } from './provider.js';

/** The sandbox's result by the last word of the person's name; any other name passes. */
export const sandboxNames = {
  reprovada: 'FAIL',
  incerta: 'UNSURE',
  malformada: 'PROVIDER_MALFORMED',
  demorada: 'PROVIDER_TIMEOUT',
  ausente: 'PROVIDER_UNREACHABLE',
} as const;

/**
 * Answers in place of a provider by the last word of the person's name, so that every outcome of a session can be tested
 * without a contract. Files are ignored. docs/providers.md lists the names.
 */
export function sandboxAnswer(kind: ProviderKind, name: string | null): ProviderAnswer {
  const last = (name ?? '').trim().toLowerCase().split(/\s+/).at(-1) ?? '';
  const scenario = Object.hasOwn(sandboxNames, last)
    ? sandboxNames[last as keyof typeof sandboxNames]
    : 'PASS';
  switch (scenario) {
    case 'PASS':
      return { verdict: 'PASS', reason: null, data: null };
    case 'FAIL':
      return { verdict: 'FAIL', reason: `SANDBOX_${kind}`, data: null };
    case 'UNSURE':
      return { verdict: 'UNSURE', reason: null, data: null };
    case 'PROVIDER_MALFORMED':
    case 'PROVIDER_TIMEOUT':
    case 'PROVIDER_UNREACHABLE':
      return { verdict: 'ERROR', reason: scenario };
    default:
      return scenario satisfies never;
  }
}
