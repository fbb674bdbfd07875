import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentClient,
  envelope,
  forClient,
  Route,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { SandboxScenariosService } from '../ingest/sandbox/sandbox-scenarios.service.js';
import { SandboxReadinessService } from '../ingest/sandbox/sandbox-readiness.service.js';
import { ScenariosView } from './sandbox.dto.js';

@ApiTags('Sandbox')
@Controller('sandbox')
export class SandboxController {
  constructor(
    private readonly scenarios: SandboxScenariosService,
    private readonly readiness: SandboxReadinessService,
  ) {}

  @Route.get('scenarios', forClient('kyt:ingest'), {
    summary: 'List what can be provoked in the sandbox',
    description:
      'Name one in `metadata.sandboxScenario` of a submission: its inputs take the place of what was sent, and everything ' +
      'after that is the ordinary pipeline. Promises hold under the ruleset and the lists that ship; `missing` names ' +
      'what your organisation lacks of these. No other environment has scenarios: SANDBOX_ONLY.',
    data: [ScenariosView, 'The scenarios.'],
    errors: ['SANDBOX_ONLY'],
  })
  async listScenarios(@CurrentClient() { organisationId }: ClientPrincipal) {
    this.scenarios.requireOpen();
    return envelope(ScenariosView.of(await this.readiness.listMissing(organisationId)));
  }
}
