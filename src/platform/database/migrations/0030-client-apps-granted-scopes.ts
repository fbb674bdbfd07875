import { requireExactApproval } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const GRANTED = (row: string): string => `'customers:write' = ANY (${row}.scopes)`;

/** `client_app.grant`: two people, or the command line, must grant `customers:write` to an application. */
export class ClientAppsGrantedScopes1765000000030 extends SqlMigration {
  protected override readonly statements = [
    `CREATE OR REPLACE FUNCTION vigia_approving_roles(act text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE
         WHEN act = 'dead_letter.discard' THEN ARRAY['COMPLIANCE_OFFICER', 'DEVELOPER']
         WHEN act IN ('flow.publish', 'provider.publish') THEN ARRAY['ADMIN', 'COMPLIANCE_OFFICER']
         WHEN act IN ('fx.import', 'client_app.grant') OR starts_with(act, 'operator.') THEN ARRAY['ADMIN']
         ELSE ARRAY['COMPLIANCE_OFFICER']
       END
     $$`,
    `CREATE OR REPLACE FUNCTION by_command_line(organisation uuid, subject uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
       SELECT EXISTS (SELECT FROM audit_entries e WHERE e.organisation_id = organisation
         AND e.subject_type IN ('operator', 'operator_invitation', 'fx_import', 'flow', 'provider', 'client_app')
         AND e.subject_id = subject::text AND e.xmin = pg_current_xact_id()::xid
         AND starts_with(convert_from(e.canonical, 'UTF8')::json ->> 'actor', 'system:'))
     $$`,
    ...[
      { name: 'created_without', on: 'INSERT', when: GRANTED('NEW') } as const,
      { name: 'granted', on: 'UPDATE', when: `${GRANTED('NEW')} AND NOT ${GRANTED('OLD')}` } as const,
    ].flatMap((one) =>
      requireExactApproval('client_apps', {
        ...one,
        act: 'client_app.grant',
        orCommandLine: true,
        values: { scopes: 'scopes' },
      }),
    ),
  ];
}
