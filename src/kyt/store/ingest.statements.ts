/** The statements of the ingest path: one multi-row statement each, INSERTs prepared by name. */

/** Stores the new ones of these transactions. */
export const CREATED = `INSERT INTO kyt_transactions
           (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency, direction,
            direction_source, occurred_at, received_at, fingerprint, document_key, customer_key, account_key,
            device_key, ip_key, counterparty_key, sealed_body, warnings, request_id, correlation_id, traceparent,
            trail_hash)
         SELECT id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency, direction,
                direction_source, occurred_at, received_at, fingerprint, document_key, customer_key, account_key,
                device_key, ip_key, counterparty_key, sealed_body, string_to_array(nullif(warnings, ''), ','),
                request_id, correlation_id, traceparent, trail_hash
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                     $8::numeric[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[],
                     $14::bytea[], $15::bytea[], $16::bytea[], $17::bytea[], $18::bytea[], $19::bytea[],
                     $20::bytea[], $21::bytea[], $22::text[], $23::text[], $24::text[], $25::text[], $26::bytea[])
           AS s (id, organisation_id, client_app_id, transaction_id, source, type, channel, amount, currency,
                 direction, direction_source, occurred_at, received_at, fingerprint, document_key, customer_key,
                 account_key, device_key, ip_key, counterparty_key, sealed_body, warnings, request_id,
                 correlation_id, traceparent, trail_hash)
         ON CONFLICT ON CONSTRAINT kyt_transactions_once DO NOTHING
         RETURNING id, organisation_id`;

/** Each new one waits for its evaluation from now on. */
export const WAITING = `INSERT INTO kyt_work (transaction_ref, organisation_id, due_at)
         SELECT id, organisation_id, now() + interval '60 seconds' FROM created`;

/** What the first submission left behind, for callers that send it again. */
export const SELECT_FIRST = `SELECT s.i, t.id, t.fingerprint, t.request_id, t.correlation_id, t.warnings,
                CASE WHEN w.status IS NOT NULL THEN w.status ELSE 'COMPLETED' END AS status
         FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS s (client_app_id, transaction_id, organisation_id, i)
         JOIN kyt_transactions t ON t.client_app_id = s.client_app_id AND t.transaction_id = s.transaction_id
           AND t.organisation_id = s.organisation_id
         LEFT JOIN kyt_work w ON w.transaction_ref = t.id`;
