import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { RulesetRegistry } from './ruleset-registry.js';
import { RulesetsService } from './rulesets.service.js';
import { RulesetEntity } from './store/ruleset.entity.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([RulesetEntity])],
  providers: [RulesetRegistry, RulesetsService],
  exports: [RulesetRegistry, RulesetsService],
})
export class RulesModule {}
