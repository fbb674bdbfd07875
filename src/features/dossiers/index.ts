// Owns dossiers, communications to COAF, and figures. Promises that an export is recorded before its first byte is sent,
// and that a subject export reveals no suspicion.
export { DossiersModule } from './dossiers.module.js';
export { DossiersJobsModule } from './dossiers-jobs.module.js';
export { CashReportsService } from './coaf/cash-reports.service.js';
