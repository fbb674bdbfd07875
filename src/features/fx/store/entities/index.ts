import { FxImportEntity } from './fx-import.entity.js';
import { FxRateEntity } from './fx-rate.entity.js';

export const fxEntities = [FxImportEntity, FxRateEntity];
