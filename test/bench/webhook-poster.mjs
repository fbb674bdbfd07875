/** The ceiling: a keep-alive POST loop that only sends, with bodies and headers as long as a webhook's. */
import http from 'node:http';

const HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Vigia-Webhooks/1',
  'X-Vigia-Event': 'kyt.transaction.queued',
  'X-Vigia-Delivery': 'whd_01999e8e7c5b7d0f9a3c5f2d1b4e6a77',
  'X-Vigia-Attempt': '1',
  'X-Vigia-Signature': `sha256=${'0'.repeat(64)}`,
  'webhook-timestamp': '1795176001',
  'webhook-signature': `v1,${'0'.repeat(44)}`,
};

process.on('message', async ({ ports, body, seconds, connections }) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const buffer = Buffer.from(body);
  const headers = { ...HEADERS, 'content-length': buffer.length };
  const until = performance.now() + 1_000 * seconds;
  let sent = 0;
  const post = (port) =>
    new Promise((resolve, reject) => {
      const request = http.request(
        { port, host: '127.0.0.1', method: 'POST', agent, headers },
        (response) => {
          response.resume();
          response.on('end', resolve);
        },
      );
      request.on('error', reject);
      request.end(buffer);
    });
  const loop = async (port) => {
    while (performance.now() < until) {
      await post(port);
      sent += 1;
    }
  };
  await Promise.all(ports.flatMap((port) => Array.from({ length: connections }, () => loop(port))));
  agent.destroy();
  process.send({ result: sent / seconds });
});
process.on('disconnect', () => process.exit(0));
process.send({ ready: true });
