/** The two servers the service is compared with; run as `node ceilings.mjs http|nest`, tells its parent the port. */
import 'reflect-metadata';
import http from 'node:http';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Shaped like the service's receipt, so that all three write an answer of the same size. */
const receipt = (body) => ({
  data: {
    transactionId: body.transactionId,
    status: 'QUEUED',
    accepted: true,
    duplicate: false,
    requestId: '0190c0de-0000-7000-8000-000000000000',
    correlationId: '0190c0de-0000-7000-8000-000000000000',
  },
  error: null,
});

function bareHttp() {
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const answer = JSON.stringify(receipt(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(201, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(answer),
      });
      response.end(answer);
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
}

async function bareNest() {
  class EchoController {
    echo(body) {
      return receipt(body);
    }
  }
  // Decorators applied by hand: this file runs without a compiler.
  Controller('kyt/transactions')(EchoController);
  Post('ingest')(
    EchoController.prototype,
    'echo',
    Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo'),
  );
  Body()(EchoController.prototype, 'echo', 0);
  class EchoModule {}
  Module({ controllers: [EchoController] })(EchoModule);

  const app = await NestFactory.create(EchoModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
}

const [kind] = process.argv.slice(2);
process.on('disconnect', () => process.exit(0));
process.send({ port: await (kind === 'nest' ? bareNest() : bareHttp()) });
