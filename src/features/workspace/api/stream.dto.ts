import { Field } from '../../../platform/http/index.js';
import { topics, type StreamSubscription } from '../live/topics.js';

export class StreamQuery {
  @Field.enums(
    topics,
    'What is told of, separated by commas or one by one. `queue`: cases of the caller and of nobody.',
    { url: true, optional: true, default: ['queue', 'badges'], example: ['queue', 'badges'] },
  )
  topics: StreamSubscription[] = ['queue', 'badges'];

  @Field.id('rev', 'A case that is told of whoever has it.', {
    optional: true,
    example: 'rev_019364d0c0de7000a000000000000001',
  })
  case?: string;
}
