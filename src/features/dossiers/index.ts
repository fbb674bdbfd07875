// Owns what is put together out of everything: dossiers, communications to COAF, figures. Promises that an export is
// written down before its first byte leaves, and that what goes to the person it is about says nothing of suspicion.
export { DossiersModule } from './dossiers.module.js';
export { DossiersJobsModule } from './dossiers-jobs.module.js';
export { CashReportsService } from './coaf/cash-reports.service.js';
