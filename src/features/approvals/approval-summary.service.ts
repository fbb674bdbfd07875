import { Injectable } from '@nestjs/common';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { Registry } from '../../platform/registry/index.js';
import type { Words } from '../../platform/sheets/index.js';
import {
  SummarizeSubjects,
  type Approval,
  type SubjectSummary,
  type SummaryLine,
  type SummaryWords,
} from './approval-handlers.js';
import { policyOf } from './domain/acts.js';

const UNKNOWN: SubjectSummary = {
  ...{ customerId: null, customerName: null, amount: null },
  ...{
    rules: [],
    transactions: null,
    hits: [],
    justification: null,
    communication: null,
    facts: [],
    lines: [],
  },
};

/** A request with the summary of its object; null if the kind of object has none, or the reader may not see it. */
export type ApprovalWithSummary = Approval & { readonly summary: SubjectSummary | null };

/** Summarizes the objects of requests through the modules that own them, so that nobody decides about a bare id. */
@Injectable()
export class ApprovalSummaryService {
  constructor(private readonly registry: Registry) {}

  /** Calls each module once for all its requests. */
  async summarize(
    operator: OperatorPrincipal,
    approvals: readonly Approval[],
  ): Promise<ApprovalWithSummary[]> {
    const partialSummaries = await Promise.all(
      [...this.registry.methodsOf(SummarizeSubjects)].map(async ([type, source]) => {
        const approvalsOfType = approvals.filter(({ act }) => policyOf(act).subject === type);
        return approvalsOfType.length === 0 ? [] : source.call(operator, approvalsOfType);
      }),
    );
    const summaries = new Map(partialSummaries.flatMap((some) => [...some]));
    return approvals.map((approval) => {
      const summary = summaries.get(approval.id);
      const lines = [...linesOf(approval), ...(summary?.lines ?? [])];
      return {
        ...approval,
        summary: summary || lines.length > 0 ? { ...UNKNOWN, ...summary, lines } : null,
      };
    });
  }
}

const linesOf = ({ act, change: { before, after } }: Approval): readonly SummaryLine[] =>
  (policyOf(act).lines?.(before, after) ?? []).map((line) => ({
    what: bothOf(line.what),
    before: line.before === null ? null : bothOf(line.before),
    after: line.after === null ? null : bothOf(line.after),
  }));

const bothOf = (text: string | Words): SummaryWords =>
  typeof text === 'string' ? { 'pt-BR': text, en: text } : { 'pt-BR': text.pt, en: text.en };
