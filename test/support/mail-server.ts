import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** Speaks as much SMTP as a client needs to hand over a message; notes its commands and what it takes. */
export async function mailServer(taken: string[], commands: string[] = []): Promise<Server> {
  const server = createServer((socket: Socket) => {
    let text: string | null = null;
    socket.write('220 test ESMTP\r\n');
    socket.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('utf8').split('\r\n').slice(0, -1)) {
        if (text === null) commands.push(line.split(' ')[0] ?? '');
        if (text !== null && line === '.') {
          taken.push(text);
          text = null;
          socket.write('250 taken\r\n');
        } else if (text !== null) text += `${line}\n`;
        else if (line === 'DATA') {
          text = '';
          socket.write('354 go on\r\n');
        } else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
        else socket.write('250 fine\r\n');
      }
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
