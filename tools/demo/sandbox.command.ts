import { allowsSandboxScenarios } from '../../src/platform/config/index.js';
import { brStarter, RulesetsService } from '../../src/features/rules/index.js';
import { FlowsService } from '../../src/features/sessions/index.js';
import { withServices } from '../../src/cli/context.js';
import { seedLists } from './seed-demo.js';
import { findOrganisation } from '../../src/cli/named.js';

/** Creates the ruleset, lists and flows that the sandbox scenarios need. */
export async function prepareSandbox(organisation: string): Promise<void> {
  await withServices(async (services, settings) => {
    if (!allowsSandboxScenarios(settings)) {
      throw new Error(
        'This environment has no scenarios: see ENVIRONMENT and SANDBOX_SCENARIOS in docs/generated/settings.md.',
      );
    }
    const organisationId = await findOrganisation(services, organisation);
    await services.get(RulesetsService).publish(organisationId, brStarter, 'sandbox');
    await seedLists(services, organisationId);
    await services.get(FlowsService).ensureDefaults(organisationId);
    process.stdout.write(
      `${organisation} has the ruleset, the lists and the flows that the scenarios need\n`,
    );
  });
}
