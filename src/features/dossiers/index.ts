// Owns dossiers, communications to COAF, and figures. Promises that an export is recorded before its first byte leaves, and
// that the export for a person says nothing of suspicion.
export { DossiersModule } from './dossiers.module.js';
export { DossiersJobsModule } from './dossiers-jobs.module.js';
export { CashReportsService } from './coaf/cash-reports.service.js';
