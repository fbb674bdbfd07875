import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/index.js';
import { textInLanguage } from '../domain/flow/flow.js';
import { ProgressRepository } from '../store/progress.repository.js';
import { FlowsService } from './flows.service.js';

const DAY_MS = 86_400_000;

interface FunnelStep {
  readonly stepId: string;
  readonly title: string;
  readonly shown: number;
  readonly done: number;
  readonly retries: number;
  readonly medianSeconds: number | null;
}

/** Computes how many people reach each step of a flow. */
@Injectable()
export class FlowFunnelsService {
  constructor(
    private readonly clock: Clock,
    private readonly flows: FlowsService,
    private readonly progress: ProgressRepository,
  ) {}

  /** Returns the figures of a version (the newest by default) over the sessions of so many days. */
  async read(
    organisationId: string,
    key: string,
    wanted: number | null,
    days: number,
  ): Promise<{
    readonly key: string;
    readonly version: number;
    readonly days: number;
    readonly steps: FunnelStep[];
  }> {
    const { version, definition } =
      wanted === null
        ? await this.flows.readOrCreateCurrent(organisationId, key)
        : await this.flows.readVersion(organisationId, key, wanted);
    const since = new Date(this.clock.now() - days * DAY_MS);
    const funnelRows = await this.progress.readFunnel(organisationId, key, version, since);
    const steps = definition.steps.map(({ id, title }) => {
      const figures = funnelRows.find(({ stepId }) => stepId === id);
      const seconds = figures?.medianSeconds ?? null;
      return {
        ...{ stepId: id, title: textInLanguage(title, 'pt-BR') },
        ...{ shown: figures?.shown ?? 0, done: figures?.done ?? 0, retries: figures?.retries ?? 0 },
        medianSeconds: seconds === null ? null : Math.round(seconds * 10) / 10,
      };
    });
    return { key, version, days, steps };
  }
}
