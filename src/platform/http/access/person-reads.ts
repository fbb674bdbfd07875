import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { concatMap, type Observable } from 'rxjs';
import type { IdPrefix } from '../../kernel/index.js';
import type { RequestContext } from '../../telemetry/index.js';
import { exchangeOf } from '../requests/exchange.js';
import type { OperatorPrincipal } from './access.js';

/** Records about a person that an operator can open: their subject types, each with the prefix of its public ids. */
export const personRecords = {
  customer: 'cus',
  review: 'rev',
  session: 'kys',
  artifact: 'art',
  screening_hit: 'hit',
  freeze: 'frz',
  transaction: 'txn',
  communication: 'com',
} as const satisfies Readonly<Record<string, IdPrefix>>;
export type PersonRecord = keyof typeof personRecords;

/** Records who read which record of a person. The module `audit` implements it. */
export abstract class ReadRecorder {
  /** @param id the value of `:id` in the path */
  abstract record(
    operator: OperatorPrincipal,
    context: RequestContext,
    of: PersonRecord,
    id: string,
  ): Promise<void>;
}

export const READS = 'vigia:reads';

interface ReadDeclaration {
  readonly of: PersonRecord;
  /** True if the handler writes the answer itself: then the read is recorded before the handler runs. */
  readonly streams: boolean;
}

/** Delays the answer until the read is recorded. Handler and recorder run concurrently. */
@Injectable()
export class ReadInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly recorder: ReadRecorder,
  ) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { of, streams } = this.reflector.get<ReadDeclaration>(READS, execution.getHandler());
    const request = execution.switchToHttp().getRequest<Request<{ id: string }>>();
    const { operator, context } = exchangeOf(request);
    if (!operator) throw new Error('a read is declared on a route that is not for operators');
    const recording = this.recorder.record(operator, context, of, request.params.id);
    if (streams) await recording;
    // If the handler fails first, its error is the answer, and a rejection of the recorder would be unhandled.
    recording.catch(() => undefined);
    return next.handle().pipe(concatMap((answer) => recording.then(() => answer as unknown)));
  }
}

/** Marks a route that shows a record of a person, named by `:id`: each read is recorded. */
export const Reads = (of: PersonRecord, streams: boolean): MethodDecorator =>
  applyDecorators(
    SetMetadata(READS, { of, streams } satisfies ReadDeclaration),
    UseInterceptors(ReadInterceptor),
  );
