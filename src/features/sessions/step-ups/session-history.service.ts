import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/index.js';
import { defaultFlows } from '../domain/flow/default-flows.js';
import type { FlowDefinition } from '../domain/flow/flow.js';
import {
  flowsAnsweredBy,
  requiresFace,
  sessionHistoryOf,
  type EndedSession,
  type SessionHistory,
} from '../domain/session-history.js';
import { StepUpRepository, type FlowRow } from '../store/step-up.repository.js';

// A new version of a flow is used within seconds.
const FRESH_MS = 5_000;
const MAX_ORGANISATIONS = 1_000;

/** The sessions of a customer, as facts. */
export interface CustomerSessions {
  readonly asIs: SessionHistory;
  /** The history as if no operator had made a link alone; null if it equals `asIs`. */
  readonly confirmed: SessionHistory | null;
}

interface Flows {
  readonly at: number;
  /** Every version, by id. */
  readonly versions: ReadonlyMap<string, FlowRow>;
  /** The newest version of each flow, by key. */
  readonly current: ReadonlyMap<string, FlowDefinition>;
}

/** Reads how customers were verified, for rules. */
@Injectable()
export class SessionHistoryService {
  private readonly flowCache = new Map<string, Flows>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly stepUps: StepUpRepository,
  ) {}

  /** Returns the history of each customer with an ended session, by customer. */
  async find(
    customers: readonly { readonly organisationId: string; readonly customerId: string }[],
  ): Promise<ReadonlyMap<string, CustomerSessions>> {
    if (customers.length === 0) return new Map();
    const endedSessions = await this.stepUps.findEndedSessions(
      customers.map(({ organisationId }) => organisationId),
      customers.map(({ customerId }) => customerId),
    );
    const histories = new Map<string, CustomerSessions>();
    for (const [customerId, { organisationId, sessions }] of endedSessions) {
      histories.set(customerId, historyOf(sessions, await this.readFlows(organisationId)));
    }
    return histories;
  }

  private async readFlows(organisationId: string): Promise<Flows> {
    const cachedFlows = this.flowCache.get(organisationId);
    if (cachedFlows && performance.now() - cachedFlows.at < FRESH_MS) return cachedFlows;
    const rows = await this.stepUps.listFlows(organisationId);
    const current = new Map(Object.entries(defaultFlows));
    for (const { key, definition } of rows) current.set(key, definition);
    const flows = { at: performance.now(), versions: new Map(rows.map((row) => [row.id, row])), current };
    if (this.flowCache.size >= MAX_ORGANISATIONS) this.flowCache.clear();
    this.flowCache.set(organisationId, flows);
    return flows;
  }
}

function historyOf(sessions: readonly EndedSession[], { versions, current }: Flows): CustomerSessions {
  const answers = (flowId: string): readonly string[] => {
    const flowVersion = versions.get(flowId);
    return flowVersion ? flowsAnsweredBy(flowVersion, current) : [];
  };
  const proven = (flowId: string): boolean => {
    const flowVersion = versions.get(flowId);
    return flowVersion !== undefined && requiresFace(flowVersion.definition);
  };
  const countedSessions = sessions.filter(({ byOperator, flowId }) => !byOperator || proven(flowId));
  return {
    asIs: sessionHistoryOf(sessions, answers),
    confirmed: countedSessions.length === sessions.length ? null : sessionHistoryOf(countedSessions, answers),
  };
}
