import { Field } from '../../../platform/http/index.js';
import { topics } from '../live/topics.js';

const NAMES = topics.join('|');

export class StreamQuery {
  @Field.matching(
    new RegExp(`^(${NAMES})(,(${NAMES})){0,${topics.length - 1}}$`),
    'What is told of, by commas. `queue`: cases of the caller and of nobody.',
    { optional: true, default: 'queue,badges', example: 'queue,badges' },
  )
  topics = 'queue,badges';

  @Field.id('rev', 'A case that is told of whoever has it.', {
    optional: true,
    example: 'rev_019364d0c0de7000a000000000000001',
  })
  case?: string;
}
