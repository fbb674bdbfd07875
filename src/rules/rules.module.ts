import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../http/index.js';
import { BacktestsController } from './api/backtests.controller.js';
import { RulesController } from './api/rules.controller.js';
import { RulesetsController } from './api/rulesets.controller.js';
import { SnoozesController } from './api/snoozes.controller.js';
import { BacktestsService } from './backtests.service.js';
import { Cooldowns } from './cooldowns.js';
import { PublicationDesk } from './publication-desk.service.js';
import { RuleLibrary } from './rule-library.service.js';
import { RulesetDrafts } from './ruleset-drafts.service.js';
import { RulesetRegistry } from './ruleset-registry.js';
import { RulesetTrials } from './ruleset-trials.service.js';
import { RulesetTrail } from './ruleset-trail.js';
import { RulesetsService } from './rulesets.service.js';
import { SnoozesService } from './snoozes.service.js';
import { RulesQueries } from './store/rules.queries.js';

@Module({
  imports: [AuditModule, HttpModule],
  controllers: [BacktestsController, RulesController, RulesetsController, SnoozesController],
  providers: [
    BacktestsService,
    Cooldowns,
    PublicationDesk,
    RuleLibrary,
    RulesQueries,
    RulesetDrafts,
    RulesetRegistry,
    RulesetTrail,
    RulesetTrials,
    RulesetsService,
    SnoozesService,
  ],
  exports: [
    BacktestsService,
    Cooldowns,
    PublicationDesk,
    RulesetDrafts,
    RulesetRegistry,
    RulesetTrials,
    RulesetsService,
    RulesQueries,
    SnoozesService,
  ],
})
export class RulesModule {}
