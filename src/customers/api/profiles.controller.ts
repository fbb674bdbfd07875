import { Body, Controller, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentActor, type ActorContext } from '../../audit/index.js';
import {
  AcceptsBody,
  CurrentClient,
  envelope,
  forClient,
  forOperator,
  Route,
  type ClientPrincipal,
} from '../../http/index.js';
import { CustomerProfiles } from '../profiles/customer-profiles.service.js';
import {
  linesIn,
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
  'A JSON array, or NDJSON with one row per line; at most 5,000. Each row is judged alone, and each that is wrong is ' +
  'named by line and path. Whoever is new gets a record. Nobody is alerted and no event is sent. After an answer that ' +
  'did not arrive, send the same rows again: what was written is `unchanged` then.';

@ApiTags('Customers')
@ApiExtraModels(ProfileRowBody)
@Controller()
export class ProfilesController {
  constructor(private readonly profiles: CustomerProfiles) {}

  @Route.put('customers/profiles', forClient('customers:write'), {
    summary: 'Write what is known of up to 5,000 customers',
    description: DESCRIPTION,
    body: ROWS,
    data: ProfilesOutcomeView,
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(PROFILES_BODY)
  async putProfiles(
    @CurrentActor() ctx: ActorContext,
    @CurrentClient() { id }: ClientPrincipal,
    @Body() body: unknown,
  ) {
    return envelope(await this.profiles.put(ctx, linesIn(body), { clientAppId: id, preview: false }));
  }

  @Route.put('operator/customers/profiles', forOperator('reviews:decide'), {
    summary: 'Upload what is known of up to 5,000 customers; with `preview` first',
    description: DESCRIPTION,
    body: ROWS,
    data: ProfilesOutcomeView,
    errors: ['STATE_CONFLICT'],
  })
  @AcceptsBody(PROFILES_BODY)
  async uploadProfiles(
    @CurrentActor() ctx: ActorContext,
    @Query() { preview = false }: ProfilesQuery,
    @Body() body: unknown,
  ) {
    return envelope(await this.profiles.put(ctx, linesIn(body), { clientAppId: null, preview }));
  }
}
