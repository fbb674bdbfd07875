import { Body, Controller, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  AcceptsBody,
  CurrentClient,
  envelope,
  forClient,
  forOperator,
  Route,
  type ClientPrincipal,
} from '../../../platform/http/index.js';
import { profileTemplate } from '../domain/profile-file.js';
import { CustomerProfilesService } from '../profiles/customer-profiles.service.js';
import {
  parseLines,
  MAX_PROFILE_ROWS,
  ProfileRowBody,
  PROFILES_BODY,
  ProfilesOutcomeView,
  ProfilesQuery,
} from './profiles.dto.js';

const ROWS = {
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_PROFILE_ROWS,
    items: { $ref: getSchemaPath(ProfileRowBody) },
  },
};
const DESCRIPTION =
  'A JSON array, NDJSON with one row per line, or a CSV file (UTF-8, UTF-16 or Windows-1252; commas, semicolons or tabs) with columns of the template; at most 5,000. Each row is judged alone, and each that is wrong is ' +
  'named by line and path. Whoever is new gets a record. Nobody is alerted and no event is sent. After an answer that ' +
  'did not arrive, send the same rows again: what was written is `unchanged` then.';

@ApiTags('Customers')
@ApiExtraModels(ProfileRowBody)
@Controller()
export class ProfilesController {
  constructor(private readonly profiles: CustomerProfilesService) {}

  @Route.put('customers/profiles', forClient('customers:write'), {
    summary: 'Write what is known of up to 5,000 customers',
    description: DESCRIPTION,
    body: ROWS,
    data: [ProfilesOutcomeView, 'The outcome: what was written and what was refused.'],
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(PROFILES_BODY)
  async putProfiles(
    @CurrentActor() ctx: ActorContext,
    @CurrentClient() { id }: ClientPrincipal,
    @Body() body: unknown,
  ) {
    return envelope(
      await this.profiles.put(ctx, await parseLines(body), { clientAppId: id, preview: false }),
    );
  }

  @Route.put('operator/customers/profiles', forOperator('reviews:decide'), {
    summary: 'Upload what is known of up to 5,000 customers; with `preview` first',
    description: DESCRIPTION,
    body: ROWS,
    data: [ProfilesOutcomeView, 'The outcome: what was written and what was refused.'],
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(PROFILES_BODY)
  async uploadProfiles(
    @CurrentActor() ctx: ActorContext,
    @Query() { preview = false }: ProfilesQuery,
    @Body() body: unknown,
  ) {
    return envelope(await this.profiles.put(ctx, await parseLines(body), { clientAppId: null, preview }));
  }

  @Route.get('operator/customers/profiles/template', forOperator('reviews:decide'), {
    summary: 'The columns of a CSV file of profiles, for a spreadsheet',
    description: 'Fill it in and upload it with `PUT /operator/customers/profiles`.',
    file: ['text/csv', 'The file.'],
  })
  getProfilesTemplate(@Res() response: Response): void {
    response.setHeader('Content-Type', 'text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', 'attachment; filename="customer-profiles.csv"');
    response.end(profileTemplate());
  }
}
