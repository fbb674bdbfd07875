import { applyDecorators, Delete, Get, HttpCode, Patch, Post, Put, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiResponse,
  type ApiBodyOptions,
  type ApiParamOptions,
} from '@nestjs/swagger';
import type { ErrorCode } from '../kernel/index.js';
import { Allow, type Access } from './access/access.js';
import { Costly } from './access/costly.js';
import { ApiData } from './api-data.js';
import { ApiErrors } from './errors/api-errors.js';
import { Reads, type PersonRecord } from './access/person-reads.js';
import type { SuccessEnvelope } from './envelope.js';
import { Idempotent } from './idempotency/idempotency.interceptor.js';
import { ApiPage, type Page } from './paging.js';

type Answered<View> = readonly [view: View, description: string];

export interface RouteOptions {
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  /** The answer is `{ data: view, error: null }`, with its description; the view is null if there is no data. */
  readonly data?: Answered<Type | null>;
  /** The answer is one page of a list of this view, with its description. */
  readonly page?: Answered<Type>;
  /** The answer is this view without the usual envelope around it, with its description. */
  readonly view?: Answered<Type>;
  /** The answer is a file of this type, or of one of these, which the handler writes; with its description. */
  readonly file?: Answered<string | readonly string[]>;
  /** 200 when left out, even for POST. */
  readonly status?: number;
  /** The errors of the handler; every route also documents the errors of the guards before it. */
  readonly errors?: readonly ErrorCode[];
  /** Honours `Idempotency-Key`. For POST routes that create something, with a JSON body. */
  readonly idempotent?: true;
  /** The record of a person that the route shows; `:id` names it. Each read is recorded. */
  readonly reads?: PersonRecord;
  /** A call may take seconds of work: an organisation may have a few at a time, and gets OVERLOADED above that. */
  readonly costly?: true;
  readonly params?: readonly ApiParamOptions[];
  readonly body?: ApiBodyOptions;
}

/** The type that a handler must return for its documented answer; `unknown` if it writes the response itself. */
type AnswerOf<Options> = Options extends { readonly page: Answered<Type<infer View>> }
  ? Page<View>
  : Options extends { readonly data: Answered<Type<infer View>> }
    ? SuccessEnvelope<View>
    : Options extends { readonly data: Answered<null> }
      ? SuccessEnvelope<null>
      : Options extends { readonly view: Answered<Type<infer View>> }
        ? View
        : unknown;

type RouteDecorator<Answer> = <
  Handler extends (...parameters: never[]) => Answer | Promise<Answer | undefined> | Promise<void>,
>(
  target: object,
  name: string,
  descriptor: TypedPropertyDescriptor<Handler>,
) => void;

/** A misspelt option does not compile, although the options are a type parameter. */
type Exactly<Options> = Options & Readonly<Record<Exclude<keyof Options, keyof RouteOptions>, never>>;

type Verb = <const Options extends RouteOptions>(
  path: string,
  access: Access,
  options: Exactly<Options>,
) => RouteDecorator<AnswerOf<Options>>;

const COSTLY_ERRORS: readonly ErrorCode[] = ['OVERLOADED'];

const routeDecorator =
  (Method: (path: string) => MethodDecorator): Verb =>
  (path, access, { summary, description, deprecated, status = 200, costly, ...more }: RouteOptions) =>
    applyDecorators(
      Method(path),
      Allow(access),
      HttpCode(status),
      ApiOperation({ summary, description, ...(deprecated && { deprecated }) }),
      ...(more.params ?? []).map((one) => ApiParam(one)),
      ...(more.body ? [ApiBody(more.body)] : []),
      ...(more.data ? [ApiData(more.data[0], { status, description: more.data[1] })] : []),
      ...(more.view ? [ApiResponse({ status, type: more.view[0], description: more.view[1] })] : []),
      ...(more.file ? fileDecorators([more.file[0]].flat(), status, more.file[1]) : []),
      ...(more.errors || costly ? [ApiErrors(...(more.errors ?? []), ...(costly ? COSTLY_ERRORS : []))] : []),
      ...(costly ? [Costly()] : []),
      ...(more.page ? [ApiPage(...more.page)] : []),
      ...(more.idempotent ? [Idempotent()] : []),
      ...(more.reads ? [Reads(more.reads, !more.data && !more.page && !more.view)] : []),
    );

function fileDecorators(types: readonly string[], status: number, description: string): MethodDecorator[] {
  const isText = types.every((type) => type.startsWith('text/'));
  const schema = { type: 'string', ...(isText ? {} : { format: 'binary' }) };
  return [ApiProduces(...types), ApiResponse({ status, description, schema })];
}

/**
 * Declares a route: its path, who may call it, and its OpenAPI documentation. The name of its method is the
 * operationId, and the compiler checks the return type of the method against the documented answer.
 */
export const Route = {
  get: routeDecorator(Get),
  post: routeDecorator(Post),
  put: routeDecorator(Put),
  patch: routeDecorator(Patch),
  delete: routeDecorator(Delete),
} as const;
