import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** The metrics of one application. The library's global registry would mix the numbers of two applications in a test. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
}
