import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals/index.js';
import { AuditModule } from '../audit/index.js';
import { HttpModule } from '../../platform/http/index.js';
import { BacktestsController } from './api/backtests.controller.js';
import { CustomFieldsController } from './api/custom-fields/custom-fields.controller.js';
import { CustomFieldsService } from './custom-fields/custom-fields.service.js';
import { RulesController } from './api/rules.controller.js';
import { RulesetsController } from './api/rulesets.controller.js';
import { SnoozesController } from './api/snoozes.controller.js';
import { BacktestsService } from './backtests/backtests.service.js';
import { CooldownsService } from './rulesets/cooldowns.service.js';
import { RulesetPublicationService } from './rulesets/ruleset-publication.service.js';
import { RuleVocabularyService } from './rulesets/rule-vocabulary.service.js';
import { RuleLibraryService } from './rulesets/rule-library.service.js';
import { RulesetDraftsService } from './rulesets/ruleset-drafts.service.js';
import { RulesetRegistryService } from './rulesets/ruleset-registry.service.js';
import { RulesetTrialsService } from './rulesets/ruleset-trials.service.js';
import { RulesetContract } from './rulesets/ruleset-contract.js';
import { RulesetsService } from './rulesets/rulesets.service.js';
import { SnoozesService } from './rulesets/snoozes.service.js';
import { RulesQueries } from './store/rules.queries.js';
import { rulesEntities } from './store/entities.js';

@Module({
  imports: [TypeOrmModule.forFeature(rulesEntities), ApprovalsModule, AuditModule, HttpModule],
  controllers: [
    BacktestsController,
    CustomFieldsController,
    RulesController,
    RulesetsController,
    SnoozesController,
  ],
  providers: [
    BacktestsService,
    CooldownsService,
    CustomFieldsService,
    RulesetPublicationService,
    RuleLibraryService,
    RuleVocabularyService,
    RulesQueries,
    RulesetDraftsService,
    RulesetRegistryService,
    RulesetContract,
    RulesetTrialsService,
    RulesetsService,
    SnoozesService,
  ],
  exports: [
    BacktestsService,
    CooldownsService,
    RulesetPublicationService,
    RulesetDraftsService,
    RulesetRegistryService,
    RulesetTrialsService,
    RulesetsService,
    RulesQueries,
    SnoozesService,
  ],
})
export class RulesModule {}
