import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { RulesetsService } from './rulesets.service.js';
import { RulesetEntity } from './store/ruleset.entity.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([RulesetEntity])],
  providers: [RulesetsService],
  exports: [RulesetsService],
})
export class RulesModule {}
