/** A receiver of webhooks that misbehaves as its argument says, in a process of its own; tells its port and its calls. */
import { createServer } from 'node:http';

const CHUNK = Buffer.alloc(64 * 1024, 'a');
const TWO_GB = 32_768;

const misbehaviours = {
  hangs: () => undefined,
  'trickles one byte a second': (_, response) => {
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
    response.write('.');
  },
  'redirects in a loop': (request, response) => {
    response.writeHead(307, { location: request.url }).end();
  },
  'sends 2 GB': (_, response) => {
    let left = TWO_GB;
    const more = () => {
      if (response.destroyed) return;
      left -= 1;
      if (left === 0) response.end(CHUNK);
      else if (response.write(CHUNK)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  },
};

const misbehave = misbehaviours[process.argv[2]];
let calls = 0;
const server = createServer((request, response) => {
  calls += 1;
  process.send({ calls });
  request.resume().on('end', () => misbehave(request, response));
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
