// Uploads files again and again until it is told to stop; a process of its own, so that whoever measures the service
// beside it does not share an event loop with hundreds of megabytes.
//
//   plan   { places: string[], headers, contentType, bodies: Buffer[], atOnce }
//   sent   after 'stop': { count, refused: { [status]: count } }
import { once } from 'node:events';
import { request } from 'node:http';

const [plan] = await once(process, 'message');
let going = true;
process.once('message', () => (going = false));
process.once('disconnect', () => process.exit(1));

const upload = (place, body) =>
  new Promise((resolve, reject) => {
    const headers = { ...plan.headers, 'content-type': plan.contentType, 'content-length': body.length };
    const call = request(place, { method: 'POST', agent: false, headers });
    call.once('response', (response) => response.resume().once('end', () => resolve(response.statusCode)));
    call.once('error', reject);
    call.end(body);
  });

const places = [...plan.places];
let count = 0;
const refused = {};
await Promise.all(
  Array.from({ length: plan.atOnce }, async () => {
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      for (const body of plan.bodies) {
        if (!going) return;
        const status = await upload(place, body);
        if (status === 201) count += 1;
        else refused[status] = (refused[status] ?? 0) + 1;
      }
    }
  }),
);
process.send({ count, refused });
process.disconnect();
