import { Injectable } from '@nestjs/common';
import { brStarter, RulesetRegistry } from '../../../rules/index.js';
import { ListEntries } from '../../../screening/index.js';

const MOST_LISTS = 200;
/** The lists that hold the people and accounts of the scenarios. */
const NEEDED = ['sample-sanctions', 'sample-pep', 'sample-blocklist'] as const;

/** Says what an organisation lacks of what the promises of the scenarios need. */
@Injectable()
export class SandboxReadiness {
  constructor(
    private readonly rulesets: RulesetRegistry,
    private readonly lists: ListEntries,
  ) {}

  /** In words; `vigia sandbox prepare` makes all of it. */
  async missing(organisationId: string): Promise<string[]> {
    const live = await this.rulesets.live(organisationId);
    const { deciding } = live.select({ type: 'PIX_TRANSFER', clientApp: '', customerKey: null });
    const kept = await this.lists.page(organisationId, null, MOST_LISTS);
    const absent = NEEDED.filter((key) => !kept.some((list) => list.key === key));
    return [
      ...(deciding?.content.key === brStarter.key ? [] : [`the ruleset ${brStarter.key}`]),
      ...absent.map((key) => `the list ${key}`),
    ];
  }
}
