export interface FirstCall {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: Date;
}

/** A command that sends a transaction with all that its evaluation needs, so that it is approved, and shows the decision; pasted a second time it shows how a duplicate is answered. */
export function firstCall({ url, clientId, clientSecret, now }: FirstCall): string {
  const occurredAt = now.toISOString();
  const body = {
    transactionId: `demo-${occurredAt.replaceAll(/\D/g, '')}`,
    externalCustomerId: 'customer-1001',
    cpfCnpj: '111.444.777-35',
    type: 'PIX_TRANSFER',
    channel: 'MOBILE_APP',
    amount: 150.75,
    currency: 'BRL',
    occurredAt,
    origin: {
      name: 'Bia Exemplo',
      cpfCnpj: '111.444.777-35',
      accountReference: '0001/10010-1',
      country: 'BR',
    },
    destination: { name: 'Padaria Exemplo', cpfCnpj: '12.345.678/0001-95', country: 'BR' },
    metadata: {
      deviceId: 'dev-1001',
      deviceRegistered: true,
      ipAddress: '198.51.100.10',
      dict: { statistics: { KEY: { CONFIRMED_FRAUDS: { d30: 0 }, REPORTED_FRAUDS: { d30: 0 } } } },
    },
  };
  return [
    `curl -s '${url}/kyt/transactions/ingest?wait=2000'`,
    `  -H 'x-client-id: ${clientId}'`,
    `  -H 'x-client-secret: ${clientSecret}'`,
    `  -H 'content-type: application/json'`,
    `  -d '${JSON.stringify(body)}'`,
  ].join(' \\\n');
}
