import { randomUUID } from 'node:crypto';
import { Body, Controller, Module, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { system, UnitOfWork } from '../../src/platform/database/index.js';
import { envelope, forClient, Route } from '../../src/platform/http/index.js';
import { DomainError } from '../../src/platform/kernel/index.js';

/** The handler runs this between its transaction and its answer; a test may delay or break it. */
export const afterTheCommit = { run: (): Promise<void> => Promise.resolve() };
export const beforeTheCommit = { run: (): Promise<void> => Promise.resolve() };
export const SECRET = 'shown-once-CANARY-4711';

@Controller('things')
class ThingsController {
  constructor(private readonly uow: UnitOfWork) {}

  @Route.post(':shelf', forClient('kyt:read'), {
    summary: 'Test',
    description: 'Of a test.',
    status: 201,
    idempotent: true,
  })
  async create(
    @Param('shelf') shelf: string,
    @Body() body: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    if (body['refuse'] === true) throw new DomainError('VALIDATION_FAILED');
    const id = randomUUID();
    await this.uow.run(system('auth.organisation-by-key'), async (tx) => {
      await tx.query('INSERT INTO organisations (id, key, name) VALUES ($1, $2, $3)', [id, id, shelf]);
      await beforeTheCommit.run();
    });
    await afterTheCommit.run();
    response.setHeader('Location', `/things/${shelf}/${id}`);
    return envelope({ id, secret: SECRET });
  }

  @Route.post('others/of-another-route', forClient('kyt:read'), {
    summary: 'Test',
    description: 'Of a test.',
    status: 201,
    idempotent: true,
  })
  other(): unknown {
    return envelope({ other: true });
  }
}

@Module({ controllers: [ThingsController] })
export class ThingsModule {}
