import { Controller, HttpStatus, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { forStaticFile, Route } from '../../../platform/http/index.js';

/** Redirects `/` to the console, for people who type the bare address. */
@ApiTags('Console')
@Controller()
export class ConsoleEntryController {
  @Route.get('', forStaticFile, {
    summary: 'Leads to the operator console',
    description: 'For whoever types the bare address where the pages for developers are not served.',
    status: HttpStatus.FOUND,
  })
  @ApiResponse({ status: HttpStatus.FOUND, description: 'To /console.' })
  open(@Res() response: Response): void {
    response.redirect(HttpStatus.FOUND, '/console');
  }
}
