import { Injectable } from '@nestjs/common';
import { brStarter, RulesetRegistryService } from '../../../rules/index.js';
import { ListEntriesService } from '../../../screening/index.js';

const MAX_LISTS = 200;
/** The lists that hold the people and accounts of the scenarios. */
const NEEDED = ['sample-sanctions', 'sample-pep', 'sample-blocklist'] as const;

/** Finds the rules and lists that scenarios need and that an organisation lacks. */
@Injectable()
export class SandboxReadinessService {
  constructor(
    private readonly rulesets: RulesetRegistryService,
    private readonly lists: ListEntriesService,
  ) {}

  /** Describes each missing item in words; `vigia sandbox prepare` creates all of them. */
  async listMissing(organisationId: string): Promise<string[]> {
    const liveRulesets = await this.rulesets.readLive(organisationId);
    const { deciding } = liveRulesets.select({ type: 'PIX_TRANSFER', clientApp: '', customerKey: null });
    const lists = await this.lists.page(organisationId, null, MAX_LISTS);
    const absent = NEEDED.filter((key) => !lists.some((list) => list.key === key));
    return [
      ...(deciding?.content.key === brStarter.key ? [] : [`the ruleset ${brStarter.key}`]),
      ...absent.map((key) => `the list ${key}`),
    ];
  }
}
