import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** The metrics of one application. Not the library's global one: two applications in a test must not share numbers. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
}
