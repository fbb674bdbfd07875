import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Sockets that reserve a port until this process ends. */
const held = [];

/**
 * Returns a port of 127.0.0.1 for a server that is started later, or again. Nobody is given it meanwhile: it lies below
 * those that the system gives to whoever asks for any, and its twin of UDP, held here, keeps other tests from it.
 */
export async function reservedPort() {
  const end = givenFrom();
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const port = end - 1 - Math.floor(Math.random() * Math.min(8_000, end - 1_024));
    const twin = createSocket('udp4');
    if ((await listens(twin.bind(port, '127.0.0.1'))) && (await isFree(port))) {
      held.push(twin.unref());
      return port;
    }
    twin.close();
  }
  throw new Error('The system has no free port on 127.0.0.1.');
}

/** Returns the first port that the system gives away. macOS begins higher than Linux, which can be told. */
function givenFrom() {
  try {
    const [first] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/);
    return Math.max(Number(first), 2_048);
  } catch {
    return 32_768;
  }
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await listens(server))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** @param {import('node:events').EventEmitter} server */
const listens = (server) =>
  once(server, 'listening').then(
    () => true,
    () => false,
  );
