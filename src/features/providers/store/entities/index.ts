import { CheckProviderEntity } from './check-provider.entity.js';
import { ProviderAnswerEntity } from './provider-answer.entity.js';
import { ProviderUsageEntity } from './provider-usage.entity.js';

export const providersEntities = [CheckProviderEntity, ProviderAnswerEntity, ProviderUsageEntity];
