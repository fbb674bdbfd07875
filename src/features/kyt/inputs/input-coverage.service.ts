import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { Clock, publicId } from '../../../platform/kernel/index.js';
import {
  evaluationSchema,
  inputNames,
  inputOfFeature,
  readSnapshots,
  RulesetRegistryService,
  type InputName,
  type LiveRulesets,
} from '../../rules/index.js';
import { FactCollector } from '../facts/fact-collector.js';
import { InputCoverageQueries, type ApplicationInUse } from '../store/reading/input-coverage.queries.js';
import { InputTally, type ApplicationCoverage } from './input-tally.js';

export interface ApplicationInputs extends ApplicationCoverage {
  readonly application: ApplicationInUse;
  /** Inputs that came although the application has said that it does not send them. */
  readonly richer: readonly InputName[];
}

export interface InputReport {
  readonly since: Date;
  readonly applications: readonly ApplicationInputs[];
  /** By input the keys of the live rules that read it. */
  readonly rules: ReadonlyMap<InputName, readonly string[]>;
}

// Together some thousands of evaluations: a second or two when somebody asks.
const MOST_APPLICATIONS = 20;
const NEWEST_TRANSACTIONS = 300;
const DAY_MS = 86_400_000;

/** Counts which inputs the transactions of the last days brought, and what the missing ones cost. */
@Injectable()
export class InputCoverageService {
  constructor(
    private readonly queries: InputCoverageQueries,
    private readonly registry: RulesetRegistryService,
    private readonly collector: FactCollector,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Judges the newest transactions of each application again by the rules of now. Nothing is stored. */
  async report(organisationId: string, days: number): Promise<InputReport> {
    const since = new Date(this.clock.now() - days * DAY_MS);
    const live = await this.registry.readLive(organisationId);
    const { environment } = this.settings;
    const applications: ApplicationInputs[] = [];
    for (const application of await this.queries.listApplications(
      organisationId,
      environment,
      MOST_APPLICATIONS,
    )) {
      applications.push(await this.coverageOf(live, application, since));
      await setImmediate();
    }
    return { since, applications, rules: rulesByInput(live) };
  }

  private async coverageOf(
    live: LiveRulesets,
    application: ApplicationInUse,
    since: Date,
  ): Promise<ApplicationInputs> {
    const { organisationId } = live;
    const { id, withoutInputs } = application;
    const { bytes } = await this.queries.readNewest(organisationId, id, since, NEWEST_TRANSACTIONS);
    const tally = new InputTally(withoutInputs);
    const schema = evaluationSchema(live.rulesets);
    const lists = this.collector.createListLookup(organisationId);
    const clientApp = publicId('app', id);
    readSnapshots(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      (snapshot) => {
        const type = snapshot.evidence.sheet.texts[schema.get('type').slot] ?? '';
        const { deciding } = live.select({ type, clientApp, customerKey: null });
        if (deciding) tally.add(snapshot, deciding);
      },
      { schema, lists },
    );
    const coverage = tally.report();
    const richer = coverage.inputs.filter(({ input, came }) => came > 0 && withoutInputs.includes(input));
    return { application, richer: richer.map(({ input }) => input), ...coverage };
  }
}

function rulesByInput({ rulesets }: LiveRulesets): ReadonlyMap<InputName, readonly string[]> {
  const found = new Map<InputName, Set<string>>(inputNames.map((input) => [input, new Set()]));
  for (const { compiled } of rulesets) {
    for (const { definition, compiled: text, parts } of compiled.rules) {
      if (definition.mode !== 'LIVE') continue;
      for (const name of text.features) {
        const feature = parts.schema.find(name);
        const input = feature && inputOfFeature(feature);
        if (input) found.get(input)?.add(definition.key);
      }
    }
  }
  return new Map([...found].map(([input, keys]) => [input, [...keys].sort()]));
}
