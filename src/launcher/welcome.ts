export interface FirstCall {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: Date;
}

/** A complete command that sends a transaction; pasted a second time it shows how a duplicate is answered. */
export function firstCall({ url, clientId, clientSecret, now }: FirstCall): string {
  const occurredAt = now.toISOString();
  const body = {
    transactionId: `demo-${occurredAt.replaceAll(/\D/g, '')}`,
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 150.75,
    currency: 'BRL',
    occurredAt,
    origin: {},
    destination: {},
  };
  return [
    `curl -i ${url}/kyt/transactions/ingest`,
    `  -H 'x-client-id: ${clientId}'`,
    `  -H 'x-client-secret: ${clientSecret}'`,
    `  -H 'content-type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
}
