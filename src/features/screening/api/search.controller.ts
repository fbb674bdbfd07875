import { Body, Controller } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  CurrentOperator,
  envelope,
  forOperator,
  Route,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { Clock, DomainError, invalid } from '../../../platform/kernel/index.js';
import { TaxId } from '../../../platform/kernel/values/tax-id.js';
import { ListEntriesService } from '../lists/list-entries.service.js';
import { today } from '../hits/screening-rounds.service.js';
import { SearchUnavailableError } from '../search/search-thread.js';
import { ScreenerService } from '../search/screener.service.js';
import { SearchBody } from './screening.dto.js';
import { SearchResultView } from './screening.view.dto.js';

/** Serves an analyst's manual searches of the lists. */
@ApiTags('Screening')
@Controller('operator/screening')
export class SearchController {
  constructor(
    private readonly screener: ScreenerService,
    private readonly entries: ListEntriesService,
    private readonly clock: Clock,
  ) {}

  @Route.post('search', forOperator('screening:read'), {
    summary: 'Look a name up in the lists, with scores and their explanation',
    description: 'Keeps nothing. In the body and not in the address, so that names stay out of logs.',
  })
  @ApiExtraModels(SearchResultView)
  @ApiOkResponse({
    description: 'What resembles the name, the most alike first.',
    schema: {
      type: 'object',
      required: ['data', 'error'],
      properties: {
        data: { type: 'array', items: { $ref: getSchemaPath(SearchResultView) } },
        error: { type: 'null' },
      },
    },
  })
  async searchLists(@CurrentOperator() { organisationId }: OperatorPrincipal, @Body() body: SearchBody) {
    const question = {
      name: body.name,
      kind: body.kind ?? 'UNKNOWN',
      facts: {
        ...documentFacts(body.document),
        birthDate: body.birthDate ?? null,
        nationalities: body.nationality === undefined ? [] : [body.nationality],
      },
      day: today(this.clock.now()),
    };
    const options = { threshold: body.threshold ?? 0.8, limit: body.limit ?? 20, lists: body.lists };
    try {
      const found = await this.screener.search(organisationId, question, options);
      const ids = found.map(({ candidate }) => candidate.entryId);
      const entries = await this.entries.findByIds(organisationId, ids);
      return envelope(
        found.flatMap(({ candidate, list }) => {
          const decodedEntry = entries.get(candidate.entryId);
          return decodedEntry
            ? [SearchResultView.of(candidate, list, decodedEntry.entry, decodedEntry.since)]
            : [];
        }),
      );
    } catch (error) {
      if (error instanceof SearchUnavailableError) {
        throw new DomainError('NOT_READY', { retryAfterSeconds: 5 });
      }
      throw error;
    }
  }
}

function documentFacts(text: string | undefined): { document: string | null; visibleDigits: string | null } {
  if (text === undefined) return { document: null, visibleDigits: null };
  const parsed = TaxId.parse(text);
  if (!parsed.ok) {
    throw invalid('document', 'DOCUMENT_INVALID', 'Must be a CPF or CNPJ, full or masked.');
  }
  const { id } = parsed;
  const digits = id.kind === 'CPF' ? id.canonical().slice(3, 9) : '';
  return {
    document: id.isMasked ? null : id.canonical(),
    visibleDigits: /^\d{6}$/.test(digits) ? digits : null,
  };
}
