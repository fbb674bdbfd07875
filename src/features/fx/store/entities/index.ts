import { FxImportEntity } from './fx-import.entity.js';
import { FxRateEntity } from './fx-rate.entity.js';

/** One for each table of this module. */
export const fxEntities = [FxImportEntity, FxRateEntity];
