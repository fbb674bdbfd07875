import { Field, validationPipe, View } from '../../../platform/http/index.js';
import { DomainError, invalid, publicId } from '../../../platform/kernel/index.js';
import type { SavedView, ViewDraft } from '../views/saved-views.service.js';
import { ReviewsQuery } from './cases.dto.js';

export class SavedViewBody {
  @Field.text('The name of the saved view.', {
    max: 80,
    pattern: /\S/,
    form: 'a text',
    example: 'Pass-through, nobody has them',
  })
  name: string;

  @Field.text(
    'The parameters of the list of cases, without those that page or that name a person or a record.',
    {
      max: 1_000,
      example: 'theme=STRUCTURING&assignee=none&sort=AMOUNT',
    },
  )
  query: string;

  @Field.flag('Whether everybody in the organisation sees it.', { optional: true, default: false })
  shared?: boolean;
}

/** Parameters that a saved view must not contain: they identify a person, or a page of the list. */
const NOT_KEPT: readonly string[] = ['text', 'customerId', 'transaction', 'cursor', 'limit'];

const pipe = validationPipe();

/** Returns the draft of a view; throws if the list of cases would refuse its filter. */
export async function viewDraftOf({ name, query, shared = false }: SavedViewBody): Promise<ViewDraft> {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const refusedName = names.find((one) => NOT_KEPT.includes(one));
  if (refusedName !== undefined) {
    throw invalid('query', 'VALUE_NOT_ALLOWED', `The parameter ${refusedName} is not kept.`);
  }
  if (new Set(names).size < names.length) {
    throw invalid('query', 'VALUE_NOT_ALLOWED', 'A parameter stands twice.');
  }
  await pipe
    .transform(Object.fromEntries(parameters), { type: 'query', metatype: ReviewsQuery })
    .catch((error: unknown) => {
      throw error instanceof DomainError ? toQueryError(error) : error;
    });
  return { name, query: parameters.toString(), shared };
}

/**
 * Converts an error of the list of cases into an error of the field `query`. A parameter that the list does not know
 * makes the value of that field wrong.
 */
const toQueryError = ({ code, details }: DomainError): DomainError =>
  new DomainError(code, {
    details: details.map(({ path, ...detail }) => ({
      ...detail,
      path: 'query',
      message:
        detail.code === 'UNKNOWN_FIELD'
          ? 'The list of cases has no such parameter.'
          : `${path}: ${detail.message}`,
    })),
  });

export class SavedViewView {
  @View.id('viw', 'The id of the saved view.') id: string;
  @View.text('The name of the saved view.', { example: 'Pass-through, nobody has them' }) name: string;
  @View.text('What stands behind the question mark of the list of cases.', {
    example: 'theme=STRUCTURING&assignee=none&sort=AMOUNT',
  })
  query: string;

  @View.flag('Whether everybody of the organisation sees it.', { example: true }) shared: boolean;
  @View.flag('Whether it is the reader who may change it.', { example: true }) mine: boolean;
  @View.textOrNull('The name of whoever saved it; null when they are gone.', { example: 'Marina Alves' })
  ownerName: string | null;
  @View.instant('When the saved view was last changed.') updatedAt: string;

  static of({ id, name, query, shared, mine, ownerName, updatedAt }: SavedView): SavedViewView {
    return {
      id: publicId('viw', id),
      ...{ name, query, shared, mine, ownerName },
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class SavedViewsView {
  @View.list(SavedViewView, 'In the order in which they were saved.') views: readonly SavedViewView[];

  static of(views: readonly SavedView[]): SavedViewsView {
    return { views: views.map((one) => SavedViewView.of(one)) };
  }
}

export class SavedIdView {
  @View.id('viw', 'The id of the saved view.') id: string;
}
