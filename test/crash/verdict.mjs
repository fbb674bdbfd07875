/** Checks the end state, whatever was killed: acknowledged once = evaluated once, with events and trail. */
const PAGE = 10_000;
const EVALUATED_WITHIN_MS = 15_000;

/**
 * Looks at every stored transaction. It waits from its receipt, or from the crash that hit it, to its evaluation:
 * `hits` are the leases that a killed worker held, `pauses` the times in which nobody could have evaluated anything.
 */
export async function judge(stage, integrators, interruptions) {
  const { verifyTrail } = await import(stage.program('features/audit/domain/trail.js'));
  const { transactionExpectation } = await import(
    stage.program('features/kyt/operations/transaction-contract.js')
  );
  const { readTrailStates } = await import(stage.program('features/kyt/store/trail-state.queries.js'));
  const lastHit = new Map(interruptions.hits.flatMap(({ at, refs }) => refs.map((ref) => [ref, at])));
  const found = {
    stored: 0,
    lost: 0,
    notEvaluated: 0,
    evaluatedTwice: 0,
    wrongQueuedEvents: 0,
    wrongCompletedEvents: 0,
    deadLettered: 0,
    otherEvents: 0,
    incompleteTrails: 0,
    lateTransactions: 0,
    lostEvents: 0,
    strayEvents: 0,
  };
  const examples = new Map();
  const note = (kind, text) => {
    found[kind] += 1;
    if (!examples.has(kind)) examples.set(kind, text);
  };
  let longestWaitMs = 0;
  const missing = new Set(integrators.acknowledged.keys());

  for await (const page of pages(stage, readTrailStates)) {
    for (const transaction of page) {
      const { id, transaction_id, received_at, evaluations, events, entries, status } = transaction;
      found.stored += 1;
      missing.delete(transaction_id);
      if (status === 'DEAD_LETTERED') note('deadLettered', transaction_id);
      if (evaluations.length === 0) note('notEvaluated', transaction_id);
      if (evaluations.length > 1) note('evaluatedTwice', transaction_id);
      const count = (type) => events.filter((event) => event === type).length;
      const [queued, completed] = ['kyt.transaction.queued', 'kyt.transaction.pipeline.completed'].map(count);
      if (queued !== 1) note('wrongQueuedEvents', `${transaction_id} has ${queued}`);
      if (completed !== 1) note('wrongCompletedEvents', `${transaction_id} has ${completed}`);
      if (events.length !== queued + completed) note('otherEvents', transaction_id);
      const verdict = verifyTrail(entries, transactionExpectation(transaction, evaluations, [], null));
      if (verdict.status !== 'COMPLETE' || entries.length !== 2) {
        note('incompleteTrails', `${transaction_id}: ${verdict.status}, ${entries.length} entries`);
      }
      if (evaluations.length === 1) {
        const from = Math.max(received_at.getTime(), lastHit.get(id) ?? 0);
        const waitMs = waited(from, evaluations[0].evaluated_at.getTime(), interruptions.pauses);
        longestWaitMs = Math.max(longestWaitMs, waitMs);
        if (waitMs > EVALUATED_WITHIN_MS) note('lateTransactions', `${transaction_id} waited ${waitMs} ms`);
      }
    }
  }
  found.lost = missing.size;
  if (missing.size > 0) examples.set('lost', [...missing][0]);
  await judgeEvents(stage, integrators, note);
  const [left] = await stage.query('SELECT count(*)::int AS count FROM outbox');
  return { found, examples, longestWaitMs, outboxLeft: left.count };
}

/** Every acknowledged event is stored once, with its one entry; nothing else is stored. */
async function judgeEvents(stage, integrators, note) {
  const rows = await stage.query(
    `SELECT c.event_id, count(*)::int AS rows, count(e.*)::int AS entries
     FROM kyt_customer_events c LEFT JOIN audit_entries e ON e.organisation_id = c.organisation_id
       AND e.subject_type = 'customer_event' AND e.subject_id = c.id::text AND e.hash = c.trail_hash
     GROUP BY c.event_id`,
  );
  const [{ count }] = await stage.query(
    `SELECT count(*)::int AS count FROM audit_entries WHERE subject_type = 'customer_event'`,
  );
  const stored = new Set(rows.map(({ event_id: eventId }) => eventId));
  for (const eventId of integrators.acknowledgedEvents.keys()) {
    if (!stored.has(eventId)) note('lostEvents', eventId);
  }
  for (const { event_id: eventId, rows: times, entries } of rows) {
    const isOwed = integrators.acknowledgedEvents.has(eventId);
    if (!isOwed || times !== 1 || entries !== 1)
      note('strayEvents', `${eventId}: ${times}, ${entries} entries`);
  }
  if (count !== rows.length) note('strayEvents', `${count} entries for ${rows.length} events`);
}

/** Milliseconds from one moment to another; what fell into a pause does not count. */
export function waited(from, to, pauses) {
  const paused = pauses.map((pause) => Math.max(0, Math.min(to, pause.to) - Math.max(from, pause.from)));
  return to - from - paused.reduce((sum, ms) => sum + ms, 0);
}

/** Every transaction with all that belongs to it, a page at a time. */
async function* pages(stage, readTrailStates) {
  const [{ organisation_id: organisationId }] = await stage.query('SELECT organisation_id FROM client_apps');
  const reader = { queryRunner: { connect: async () => stage.database } };
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const rows = await stage.query(
      `SELECT id, received_at FROM kyt_transactions WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [after],
    );
    if (rows.length === 0) return;
    const refs = rows.map((row) => row.id);
    const states = await readTrailStates(reader, organisationId, refs);
    const transactions = new Map(states.transactions.map((row) => [row.id, row]));
    const evaluatedAt = new Map(
      (
        await stage.query(
          `SELECT transaction_ref, evaluation_version, evaluated_at FROM kyt_evaluations WHERE transaction_ref = ANY($1)`,
          [refs],
        )
      ).map((row) => [`${row.transaction_ref} ${row.evaluation_version}`, row.evaluated_at]),
    );
    const [evaluations, events, entries] = [
      states.evaluations.map((row) => ({
        ...row,
        ref: row.transaction_ref,
        evaluated_at: evaluatedAt.get(`${row.transaction_ref} ${row.evaluation_version}`),
      })),
      await stage.query(`SELECT resource_id AS ref, type FROM events WHERE resource_id = ANY($1)`, [refs]),
      await stage.query(
        `SELECT subject_id AS ref, subject_seq AS seq, action, canonical, hash, previous_hash AS "previousHash"
         FROM audit_entries WHERE organisation_id = $1
           AND subject_type = 'transaction' AND subject_id = ANY($2) ORDER BY subject_id, subject_seq`,
        [organisationId, refs],
      ),
    ].map(byRef);
    yield rows.map((row) => ({
      ...row,
      ...transactions.get(row.id),
      evaluations: evaluations.get(row.id) ?? [],
      events: (events.get(row.id) ?? []).map(({ type }) => type),
      entries: entries.get(row.id) ?? [],
    }));
    after = refs.at(-1);
  }
}

function byRef(rows) {
  const grouped = new Map();
  for (const row of rows) {
    const group = grouped.get(row.ref);
    if (group) group.push(row);
    else grouped.set(row.ref, [row]);
  }
  return grouped;
}
