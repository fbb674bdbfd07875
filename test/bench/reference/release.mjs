/** The comparison of `main.ts` as something that the bench can measure by turns with the service. */
import { fileURLToPath } from 'node:url';
import { root } from '../release.mjs';

export const reference = {
  name: 'reference',
  root,
  main: fileURLToPath(new URL('main.ts', import.meta.url)),
  nodeFlags: ['--import=./test/support/register.mjs'],
  waits: false,
  /** What the bench asks of the service's tables, said of the comparison's. */
  views: `
    CREATE VIEW kyt_work AS SELECT status FROM kyt_transactions WHERE status <> 'COMPLETED';
    CREATE VIEW events AS
      SELECT transaction_ref AS resource_id, 'kyt.transaction.pipeline.completed' AS type FROM kyt_evaluations;
    GRANT ALL ON ALL TABLES IN SCHEMA public TO vigia_app`,
};
