/** Rules and rulesets: what judges transactions, and how a change of it comes into force. */
import {
  keepPreviousData,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { pageQuery, usePages, type Pages } from '../../data/calls/paging.js';
import { live } from '../../data/calls/query.js';
import { useLanguage } from '../../texts/language.js';
import { without } from '../../parts/without.js';
import type { Tried } from '../../data/what-if.js';

export type Rule = Schemas['RuleView'];
export type Ruleset = Schemas['RulesetView'];
export type Backtest = Schemas['BacktestView'];
export type Draft = Schemas['RuleDraftBody'];
export type Aggregate = Schemas['AggregateBody'];
export type Checked = Schemas['CheckedRuleView'];

export const useRules = (): Pages<Rule> =>
  usePages({
    key: ['rules'],
    ask: (cursor) => answerOf(api.GET('/operator/rules', { params: { query: pageQuery(cursor, 200) } })),
  });

/** The names of the rules by their keys, in the language of the screen. */
export function useRuleNames(): ReadonlyMap<string, string> {
  const inTongue = useLanguage() === 'pt' ? 'pt-BR' : 'en';
  const { items = [] } = useRules();
  return new Map(items.map(({ key, definition }) => [key, definition.name[inTongue]]));
}

export const useRule = (key: string, enabled: boolean): UseQueryResult<Rule | null> =>
  useQuery({
    queryKey: ['rules', key],
    enabled,
    queryFn: async () => {
      const { data } = await answerOf(api.GET('/operator/rules', { params: { query: { key, limit: 50 } } }));
      return data.toSorted((a, b) => b.version - a.version)[0] ?? null;
    },
  });

export const useRulesets = (): Pages<Ruleset> =>
  usePages({
    key: ['rulesets'],
    refetchInterval: live(30_000),
    ask: (cursor) => answerOf(api.GET('/operator/rulesets', { params: { query: pageQuery(cursor, 50) } })),
  });

export const useRuleset = (key: string, version: number): UseQueryResult<Ruleset> =>
  useQuery({
    queryKey: ['rulesets', key, version],
    queryFn: () =>
      dataOf(api.GET('/operator/rulesets/{key}/versions/{version}', { params: { path: { key, version } } })),
  });

/** The version of a ruleset that judges now; null before the first. */
export const useLiveRuleset = (key: string): UseQueryResult<Ruleset | null> =>
  useQuery({
    queryKey: ['rulesets', key, 'live'],
    queryFn: async () => {
      const query = { key, status: 'PUBLISHED', limit: 1 } as const;
      const { data } = await answerOf(api.GET('/operator/rulesets', { params: { query } }));
      return data[0] ?? null;
    },
  });

export const useBacktests = (key: string, version: number): Pages<Backtest> =>
  usePages({
    key: ['backtests', key, version],
    refetchInterval: live(3_000),
    ask: (cursor) =>
      answerOf(
        api.GET('/operator/rulesets/{key}/versions/{version}/backtests', {
          params: { path: { key, version }, query: pageQuery(cursor, 10) },
        }),
      ),
  });

/**
 * The faults of a condition and its plain words, as the service reads it. A rule with parameters or aggregates is checked
 * as a whole, as its condition alone would name what it does not have.
 */
export const useCheck = (rule: Draft): UseQueryResult<Checked> => {
  const whole = Object.keys({ ...rule.parameters, ...rule.aggregates }).length > 0;
  const body = whole ? { rule: without(rule, 'revision') } : { when: rule.when };
  return useQuery({
    queryKey: ['check', body],
    enabled: rule.when.trim() !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => dataOf(api.POST('/operator/rules/check', { body, signal })),
  });
};

const useChange = changing('rules', 'rulesets', 'backtests', 'approvals');

export const useSaveRule = (): UseMutationResult<Rule, Error, Draft> =>
  useChange((body) => dataOf(api.POST('/operator/rules', { body })));

export const useReleaseRule = (): UseMutationResult<Rule, Error, string> =>
  useChange((key) => dataOf(api.POST('/operator/rules/{key}/versions', { params: { path: { key } } })));

export const useTryRule = (): UseMutationResult<Tried, Error, { transactionId: string; rule: string }> =>
  useMutation({
    mutationFn: async ({ transactionId, rule }) => {
      const file = await dataOf(
        api.GET('/operator/transactions/{id}', { params: { path: { id: transactionId } } }),
      );
      const transaction = file.submission as unknown as Schemas['DryRunBody']['transaction'];
      return dataOf(api.POST('/operator/rules/dry-run', { body: { transaction, draftRules: [rule] } }));
    },
  });

export const useDraftRuleset = (): UseMutationResult<Ruleset, Error, Schemas['NewRulesetBody']> =>
  useChange((body) => dataOf(api.POST('/operator/rulesets', { body })));

export const useStartBacktest = (
  key: string,
  version: number,
): UseMutationResult<Backtest, Error, Schemas['BacktestBody']> =>
  useChange((body) =>
    dataOf(
      api.POST('/operator/rulesets/{key}/versions/{version}/backtests', {
        params: { path: { key, version } },
        body,
      }),
    ),
  );

export type RulesetAct =
  | { readonly kind: 'PUBLISH' | 'ROLLBACK' | 'ARCHIVE'; readonly reason: string }
  | {
      readonly kind: 'MODE' | 'DRAFT_MODE';
      readonly rule: string;
      readonly mode: 'LIVE' | 'SHADOW' | 'DISABLED';
    };

/** Publishing and going back ask for a second person; a mode drafts the next version, or changes the draft that there is. */
export const useRulesetAct = (
  key: string,
  version: number,
): UseMutationResult<{ version?: number }, Error, RulesetAct> =>
  useChange<RulesetAct, { version?: number }>(async (act) => {
    const params = { path: { key, version } };
    switch (act.kind) {
      case 'PUBLISH':
        await dataOf(
          api.POST('/operator/rulesets/{key}/versions/{version}/publish', {
            params,
            body: { reason: act.reason },
          }),
        );
        return {};
      case 'ARCHIVE':
        await dataOf(
          api.POST('/operator/rulesets/{key}/versions/{version}/archive', {
            params,
            body: { reason: act.reason },
          }),
        );
        return {};
      case 'ROLLBACK':
        await dataOf(
          api.POST('/operator/rulesets/{key}/rollback', {
            params: { path: { key } },
            body: { toVersion: version, reason: act.reason },
          }),
        );
        return {};
      case 'DRAFT_MODE':
        await dataOf(
          api.POST('/operator/rulesets/{key}/versions/{version}/rules/{rule}/mode', {
            params: { path: { key, version, rule: act.rule } },
            body: { mode: act.mode },
          }),
        );
        return {};
      case 'MODE':
        return dataOf(
          api.POST('/operator/rulesets/{key}/rules/{rule}/mode', {
            params: { path: { key, rule: act.rule } },
            body: { mode: act.mode },
          }),
        );
    }
  });
