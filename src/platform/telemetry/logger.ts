import { chmodSync, existsSync } from 'node:fs';
import { Injectable, type LoggerService, type OnApplicationShutdown } from '@nestjs/common';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { redact, redactStack } from './redaction.js';

export interface LogOptions {
  readonly level: string;
  readonly file: string | null;
  readonly name: string;
  readonly role: string;
}

/** The log line of one finished request. `route` is the route pattern: a raw path can contain a session id. */
export interface AccessLine {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  readonly correlationId: string;
  readonly client: string | null;
  readonly operator: string | null;
}

/** Makes an existing log file readable by its owner only: the log contains addresses and request ids. */
function makePrivate(file: string): string {
  if (existsSync(file)) chmodSync(file, 0o600);
  return file;
}

/** Writes structured logs in the background, one JSON object per line. Nest's Logger writes through it. */
@Injectable()
export class StructuredLogger implements LoggerService, OnApplicationShutdown {
  private readonly pino: Pino;
  private readonly hasAccessLines: boolean;

  constructor(
    options: LogOptions,
    private readonly destination: DestinationStream & { flushSync?: () => void } = pino.destination({
      ...(options.file === null
        ? { dest: 1 }
        : { dest: makePrivate(options.file), mkdir: true, mode: 0o600 }),
      // Asynchronous: a crash may lose the last lines, which nothing depends on.
      sync: false,
      // Combines many lines into one write; a line waits at most 100 ms.
      minLength: 8_192,
      periodicFlush: 100,
    }),
  ) {
    this.pino = pino(
      {
        level: options.level,
        base: { service: options.name, role: options.role, pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      this.destination,
    );
    this.hasAccessLines = this.pino.isLevelEnabled('info');
  }

  access(line: AccessLine): void {
    if (this.hasAccessLines) this.pino.info(line, 'request');
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  onApplicationShutdown(): void {
    this.destination.flushSync?.();
  }

  /** Takes Nest's arguments (message, …stack, context). An object is reduced to its error name, never serialised. */
  private write(
    level: 'info' | 'warn' | 'error' | 'fatal' | 'debug',
    message: unknown,
    rest: unknown[],
  ): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const texts = rest.filter((part): part is string => typeof part === 'string');
    const context = texts.at(-1);
    const stack = texts.length > 1 ? texts[0] : undefined;
    this.pino[level](
      {
        ...(context === undefined ? {} : { context }),
        ...(stack === undefined ? {} : { stack: redactStack(stack) }),
      },
      textOf(message),
    );
  }
}

const textOf = (message: unknown): string => {
  if (typeof message === 'string') return redact(message);
  if (message instanceof Error) return redactStack(message.stack ?? message.message);
  return `unexpected log value of type ${typeof message}`;
};
