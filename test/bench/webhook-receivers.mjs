/** Receivers of webhooks, several on ports of their own; tells its parent the ports, and on request what came. */
import http from 'node:http';
import { once } from 'node:events';

const COUNT = Number(process.argv[2] ?? 8);
/** When each event first arrived, in milliseconds since 1970, by its id. */
const arrivals = new Map();
let received = 0;

const servers = Array.from({ length: COUNT }, () =>
  http.createServer((request, response) => {
    received += 1;
    const id = request.headers['webhook-id'];
    if (id !== undefined && !arrivals.has(id)) arrivals.set(id, performance.timeOrigin + performance.now());
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  }),
);
for (const server of servers) {
  // An idle connection is the sender's to keep.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

process.on('message', (question) => {
  process.send({ result: question === 'arrivals' ? [...arrivals] : received });
  if (question === 'reset') {
    arrivals.clear();
    received = 0;
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ ports: servers.map((server) => server.address().port) });
