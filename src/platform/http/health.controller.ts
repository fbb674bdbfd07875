import { Controller, Header, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { View } from './fields/view.js';
import { MetricsRegistry } from '../telemetry/index.js';
import { forProbes } from './access/access.js';
import { Readiness } from './readiness.js';
import { Route } from './route.js';

export class HealthView {
  @View.enum(['ok', 'unavailable'], 'The status of the service.', { example: 'ok' }) status:
    'ok' | 'unavailable';
  @View.texts('What is away without making the service unavailable.', { example: [] }) degraded: string[];
  @View.texts('What makes the service unavailable.', { example: [] }) unavailable: string[];
}

@ApiTags('Health')
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: MetricsRegistry,
  ) {}

  @Route.get('health/live', forProbes, {
    summary: 'Answers while the process runs',
    description: 'It looks at nothing else: a restart is due only when it does not answer.',
    view: [HealthView, 'The state of the service.'],
  })
  live(): HealthView {
    return { status: 'ok', degraded: [], unavailable: [] };
  }

  @Route.get('health/ready', forProbes, {
    summary: 'Says whether requests can be served; Redis being away only degrades',
    description:
      '503 names what is not there in `unavailable`; what is missed and not needed stands in `degraded`.',
    view: [HealthView, 'The state of the service.'],
  })
  @ApiServiceUnavailableResponse({ type: HealthView, description: 'Requests cannot be served.' })
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthView> {
    const { degraded, unavailable } = await this.readiness.check();
    const ok = unavailable.length === 0;
    response.status(ok ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ok ? 'ok' : 'unavailable', degraded, unavailable };
  }

  @Route.get('metrics', forProbes, {
    summary: 'Metrics in the text format of Prometheus',
    description: 'For a scraper inside the network. The metrics name no person and no document.',
  })
  @ApiOkResponse({ description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async prometheus() {
    return this.metrics.registry.metrics();
  }
}
