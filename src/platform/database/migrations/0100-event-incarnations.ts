import { withoutOrganisation } from './protect.js';
import { SqlMigration } from './sql-migration.js';
import { appendOnly } from './triggers.js';

/**
 * The lives of the feed of events. A restored database counts its transactions again, so that a position alone does not
 * say which event a reader has seen: a cursor names the life as well. All positions below `point` are the same in the
 * life before.
 */
export class EventIncarnations1764000000100 extends SqlMigration {
  override readonly name = 'EventIncarnations1764000000100';
  protected override readonly statements = [
    `CREATE TABLE event_incarnations (
       number integer PRIMARY KEY CHECK (number > 0),
       identity text NOT NULL,
       point bigint NOT NULL,
       reason text NOT NULL CHECK (reason IN ('FIRST', 'RESTORED', 'REWOUND')),
       noticed_at timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    ...appendOnly('event_incarnations', 'insert_only'),
    ...withoutOrganisation('event_incarnations', 'which lives the feed of all had, and where each began'),
    `GRANT SELECT, INSERT ON event_incarnations TO vigia_app`,
  ];
}
