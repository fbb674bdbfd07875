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

/** Records of a person that an operator can open, as the audit trail calls them, with the prefix of their ids. */
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

/** Records who read which record of a person. The module of the audit trail provides it. */
export abstract class ReadRecorder {
  /** @param id as it stands in the path */
  abstract note(
    operator: OperatorPrincipal,
    context: RequestContext,
    of: PersonRecord,
    id: string,
  ): Promise<void>;
}

export const READS = 'vigia:reads';

interface Declared {
  readonly of: PersonRecord;
  /** True if the handler writes the answer itself, so that the answer cannot be held back behind it. */
  readonly streams: boolean;
}

/** Holds the answer back until the read is recorded; handler and recorder run side by side. */
@Injectable()
export class ReadInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly recorder: ReadRecorder,
  ) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { of, streams } = this.reflector.get<Declared>(READS, execution.getHandler());
    const request = execution.switchToHttp().getRequest<Request<{ id: string }>>();
    const { operator, context } = exchangeOf(request);
    if (!operator) throw new Error('a read is declared on a route that is not for operators');
    const noted = this.recorder.note(operator, context, of, request.params.id);
    if (streams) await noted;
    // When the handler fails first, its error is the answer.
    noted.catch(() => undefined);
    return next.handle().pipe(concatMap((answer) => noted.then(() => answer as unknown)));
  }
}

/** Marks a route that shows a record of a person, named by `:id`: each read is recorded. */
export const Reads = (of: PersonRecord, streams: boolean): MethodDecorator =>
  applyDecorators(SetMetadata(READS, { of, streams } satisfies Declared), UseInterceptors(ReadInterceptor));
