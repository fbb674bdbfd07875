/**
 * The database objects that protect the data, one line each: owners and grants of tables, row-level security and its
 * policies, columns, constraints and unique indexes, triggers and rules, functions, the rights of the service role,
 * and settings that switch triggers off. Lines contain names of roles, so that a new owner of a table changes its
 * line.
 */
export const CATALOGUE = `SELECT line FROM (
  SELECT concat_ws(' ', 'table', c.relname, pg_get_userbyid(c.relowner), c.relrowsecurity, c.relforcerowsecurity,
           (SELECT string_agg(a::text, ',' ORDER BY a::text) FROM unnest(c.relacl) a)) AS line
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
  UNION ALL
  SELECT concat_ws(' ', 'policy', p.polrelid::regclass, p.polname, p.polpermissive, p.polcmd,
           (SELECT string_agg(r::regrole::text, ',' ORDER BY r::regrole::text) FROM unnest(p.polroles) r WHERE r <> 0),
           md5(concat_ws(' / ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))))
  FROM pg_policy p
  UNION ALL
  SELECT concat_ws(' ', 'columns', c.relname, md5(string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
           a.attnotnull, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid)), ',' ORDER BY a.attnum)))
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') GROUP BY c.relname
  UNION ALL
  SELECT concat_ws(' ', 'constraint', n.conrelid::regclass, n.conname, n.convalidated, md5(pg_get_constraintdef(n.oid)))
  FROM pg_constraint n WHERE n.connamespace = 'public'::regnamespace AND n.conrelid <> 0 AND n.contype IN ('c', 'f', 'p', 'u', 'x')
  UNION ALL
  SELECT concat_ws(' ', 'index', i.indrelid::regclass, i.indexrelid::regclass, i.indisvalid, md5(pg_get_indexdef(i.indexrelid)))
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  UNION ALL
  SELECT concat_ws(' ', 'trigger', t.tgrelid::regclass, t.tgname, t.tgenabled, md5(pg_get_triggerdef(t.oid)))
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'rule', r.ev_class::regclass, r.rulename, r.ev_enabled, md5(pg_get_ruledef(r.oid)))
  FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT concat_ws(' ', 'function', p.oid::regprocedure, pg_get_userbyid(p.proowner), p.prosecdef,
           (SELECT string_agg(a::text, ',' ORDER BY a::text) FROM unnest(p.proacl) a),
           md5(concat_ws(' / ', p.prosrc, p.proconfig::text, p.provolatile, p.prolang)))
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT concat_ws(' ', 'event trigger', e.evtname, e.evtenabled, e.evtfoid::regprocedure) FROM pg_event_trigger e
  UNION ALL
  SELECT concat_ws(' ', 'role vigia_app', r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
           (SELECT string_agg(m.roleid::regrole::text, ',' ORDER BY m.roleid::regrole::text) FROM pg_auth_members m
            WHERE m.member = r.oid))
  FROM pg_roles r WHERE r.rolname = 'vigia_app'
  UNION ALL
  SELECT concat_ws(' ', 'setting', coalesce(nullif(s.setrole, 0)::regrole::text, 'everybody'), setting)
  FROM pg_db_role_setting s CROSS JOIN LATERAL unnest(s.setconfig) AS setting
  WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND setting LIKE 'session_replication_role=%'
  UNION ALL
  SELECT concat_ws(' ', 'setting', 'session_replication_role', current_setting('session_replication_role'))
) lines ORDER BY line COLLATE "C"`;
