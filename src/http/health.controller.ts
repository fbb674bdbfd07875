import { Controller, Get, Header, HttpStatus, Res } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { MetricsRegistry } from '../telemetry/index.js';
import { Internal } from './access.js';
import { Readiness } from './readiness.js';

export class HealthView {
  @ApiProperty({ enum: ['ok', 'unavailable'], example: 'ok' })
  status: 'ok' | 'unavailable';

  @ApiProperty({
    type: [String],
    example: [],
    description: 'What is away without making the service unavailable.',
  })
  degraded: string[];

  @ApiProperty({ type: [String], example: [], description: 'What makes the service unavailable.' })
  unavailable: string[];
}

@ApiTags('Health')
@Controller()
@Internal()
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: MetricsRegistry,
  ) {}

  @Get('health/live')
  @ApiOperation({ summary: 'Answers while the process runs' })
  @ApiOkResponse({ type: HealthView })
  live(): HealthView {
    return { status: 'ok', degraded: [], unavailable: [] };
  }

  @Get('health/ready')
  @ApiOperation({ summary: 'Says whether requests can be served; Redis being away only degrades' })
  @ApiOkResponse({ type: HealthView })
  @ApiServiceUnavailableResponse({ type: HealthView })
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthView> {
    const { degraded, unavailable } = await this.readiness.check();
    const ok = unavailable.length === 0;
    response.status(ok ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    return { status: ok ? 'ok' : 'unavailable', degraded, unavailable };
  }

  @Get('metrics')
  @ApiOperation({ summary: 'Metrics in the text format of Prometheus' })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  async prometheus(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
