import type { Dossier } from '../domain/dossier.js';

/** Streams a dossier as the usual JSON envelope, one page of transactions at a time. */
export async function* dossierJson(dossier: Dossier): AsyncGenerator<string> {
  const { head, customer, cases, hits, communications, sessions, artifacts, transactionCount } = dossier;
  const begin = JSON.stringify({
    head,
    customer,
    cases,
    hits,
    communications,
    sessions,
    artifacts,
    transactionCount,
  });
  yield `{"data":${begin.slice(0, -1)},"transactions":[`;
  let first = true;
  for await (const page of dossier.iterateTransactions()) {
    if (page.length === 0) continue;
    yield (first ? '' : ',') + page.map((transaction) => JSON.stringify(transaction)).join(',');
    first = false;
  }
  yield ']},"error":null}';
}
