/** A JSON body, or none, with these headers. Resolves with status 0 where the connection was refused or cut. */
export async function call(url, { headers = {}, body, method } = {}) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers: { ...headers, ...json } };
  if (body !== undefined) sent.body = JSON.stringify(body);
  try {
    const answer = await fetch(url, sent);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

export const bearer = (token) => ({ authorization: `Bearer ${token}` });
export const credentials = ({ clientId, clientSecret }) => ({
  'x-client-id': clientId,
  'x-client-secret': clientSecret,
});
/** The address that the service believes, as that of a proxy before it. */
export const from = (address) => ({ 'x-forwarded-for': address });

export const many = (count, make) => Promise.all(Array.from({ length: count }, (_, i) => make(i)));
export const countOf = (answers, ...statuses) =>
  answers.filter(({ status }) => statuses.includes(status)).length;
export const word = () => Math.random().toString(36).slice(2, 12);

/** What two answers say, without what is of one request alone. */
export const said = ({ status, text }) =>
  `${status} ${text.replaceAll(/"(requestId|correlationId|timestamp)":"[^"]*"/g, '')}`;

/** A payment with what the interface requires. */
export const payment = () => ({
  transactionId: `scan-${Date.now()}-${word()}`,
  type: 'PIX_TRANSFER',
  channel: 'MOBILE_APP',
  amount: 10,
  currency: 'BRL',
  occurredAt: new Date().toISOString(),
  origin: {},
  destination: {},
});
