import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Body, Controller, Get, Param, Query, RequestMethod } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { afterEach, describe, expect, it } from '@jest/globals';
import Bull from 'bull';
import {
  getMetadataStorage,
  IS_OBJECT,
  IS_OPTIONAL,
  IsOptional,
  IsString,
  ValidationTypes,
} from 'class-validator';
import { Redis } from 'ioredis';
import PDFDocument from 'pdfkit';
import pg from 'pg';

// The project uses these parts of packages beyond their promises. When one of these tests fails after an upgrade, the
// table "Inside knowledge" in docs/dependencies.md says what breaks.

type Parts = Record<string, unknown>;
const kindsOf = (parts: unknown, ...names: readonly string[]): Parts =>
  Object.fromEntries(names.map((name) => [name, typeof (parts as Parts)[name]]));

describe('inside pg', () => {
  const client = new pg.Client() as unknown as { connection: Parts; getTransactionStatus(): unknown };

  it('a client has a connection with a stream, the statements it has prepared, and its messages', () => {
    const { connection } = client;
    expect(kindsOf(connection, 'close', 'parse', 'bind', 'execute', 'on')).toEqual({
      close: 'function',
      parse: 'function',
      bind: 'function',
      execute: 'function',
      on: 'function',
    });
    expect(connection['parsedStatements']).toEqual({});
    expect(kindsOf(connection['stream'], 'destroy')).toEqual({ destroy: 'function' });
    expect(client.getTransactionStatus()).toBeNull();
  });

  it('a query is prepared, and hears of its commands and of a COPY, by methods that can be overridden', () => {
    const { prototype } = pg.Query as unknown as {
      prototype: Record<string, (...args: unknown[]) => unknown>;
    };
    const lengths = ['prepare', 'handleCommandComplete', 'handleCopyData'].map(
      (name) => prototype[name]?.length,
    );
    expect(lengths).toEqual([1, 2, 2]);
    const query = new pg.Query({ text: 'SELECT 1', queryMode: 'extended' } as pg.QueryConfig) as unknown as {
      requiresPreparation(): boolean;
    };
    expect(query.requiresPreparation()).toBe(true);
  });
});

describe('inside Bull', () => {
  const clients: Redis[] = [];
  afterEach(() => {
    for (const client of clients) client.disconnect();
  });

  it('a queue has the parts by which it is ended without waiting for Redis', () => {
    const createClient = (): Redis => {
      const client = new Redis({ lazyConnect: true, maxRetriesPerRequest: null, enableReadyCheck: false });
      client.on('error', () => undefined);
      clients.push(client);
      return client;
    };
    const queue = new Bull('internals', { createClient }) as unknown as Parts;
    expect(kindsOf(queue, 'processing', 'whenCurrentJobsFinished', 'close')).toEqual({
      processing: 'object',
      whenCurrentJobsFinished: 'function',
      close: 'function',
    });
    const { prototype } = Bull as unknown as { prototype: unknown };
    expect(kindsOf(prototype, 'process', 'setWorkerName', 'whenCurrentJobsFinished')).toEqual({
      process: 'function',
      setWorkerName: 'function',
      whenCurrentJobsFinished: 'function',
    });
    expect(queue['bclientInitialized']).toBeFalsy();
    expect(kindsOf(queue['bclient'], 'status', 'connect', 'disconnect')).toEqual({
      status: 'string',
      connect: 'function',
      disconnect: 'function',
    });
    expect(queue['bclientInitialized']).toBe(true);
  });
});

describe('inside pdfkit', () => {
  it('a document has a font, pages with resources, objects of its own, and takes raw content', () => {
    const document = new PDFDocument({ autoFirstPage: false });
    document.font('Helvetica').fontSize(1_000);
    document.addPage({ size: 'A4', margin: 0 });
    const inner = document as unknown as {
      _font: { id: string; ascender: number; ref(): unknown };
      page: { height: number; fonts: Parts; xobjects: Parts };
      ref(data: object): unknown;
    };
    expect(inner._font).toMatchObject({ id: 'F1', ascender: 718 });
    expect(kindsOf(inner._font, 'ref')).toEqual({ ref: 'function' });
    expect(kindsOf(inner.page, 'height', 'fonts', 'xobjects')).toEqual({
      height: 'number',
      fonts: 'object',
      xobjects: 'object',
    });
    expect(kindsOf(inner.ref({}), 'write', 'end')).toEqual({ write: 'function', end: 'function' });
    expect(kindsOf(document, 'addContent', 'readableLength')).toEqual({
      addContent: 'function',
      readableLength: 'number',
    });
  });
});

class Given {
  @IsOptional()
  @IsString()
  @ApiProperty({ type: String, nullable: true })
  name?: string | null;
}

@Controller('one')
class Routes {
  // oxlint-disable-next-line house/routes-declare-access -- what Nest's own decorator leaves is what is looked at
  @Get('two')
  route(@Body() body: unknown, @Query() query: unknown, @Param() params: unknown): unknown {
    return [body, query, params];
  }
}

describe('inside NestJS', () => {
  it('the decorators of routes and parameters leave what the guards and the table of routes read', () => {
    const handler = Object.getOwnPropertyDescriptor(Routes.prototype, 'route')?.value as object;
    expect(Reflect.getMetadata(PATH_METADATA, Routes)).toBe('one');
    expect(Reflect.getMetadata(PATH_METADATA, handler)).toBe('two');
    expect(Reflect.getMetadata(METHOD_METADATA, handler)).toBe(RequestMethod.GET);
    const args = Reflect.getMetadata(ROUTE_ARGS_METADATA, Routes, 'route') as Record<
      string,
      { index: number }
    >;
    expect(args[`${RouteParamtypes.BODY}:0`]).toMatchObject({ index: 0 });
    expect(args[`${RouteParamtypes.QUERY}:1`]).toMatchObject({ index: 1 });
  });

  it('@ApiProperty leaves whether a member may be null', () => {
    const said: unknown = Reflect.getMetadata('swagger/apiModelProperties', Given.prototype, 'name');
    expect(said).toMatchObject({ nullable: true });
  });
});

describe('inside class-validator', () => {
  it('the decorators of a class are stored by property, with the names that the compiled validation knows', () => {
    const rules = getMetadataStorage().getTargetValidationMetadatas(Given, '', false, false);
    expect(rules.map(({ propertyName, name, type }) => [propertyName, name, type]).sort()).toEqual([
      ['name', IS_OPTIONAL, ValidationTypes.CONDITIONAL_VALIDATION],
      ['name', 'isString', ValidationTypes.CUSTOM_VALIDATION],
    ]);
    expect([IS_OPTIONAL, IS_OBJECT]).toEqual(['isOptional', 'isObject']);
  });
});
