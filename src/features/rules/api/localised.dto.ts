import { Field } from '../../../platform/http/index.js';

export class LocalisedBody {
  @Field.text('In Brazilian Portuguese.', { max: 500, example: 'PIX noturno acima do limite' })
  'pt-BR': string;
  @Field.text('In English.', { max: 500, example: 'PIX at night above the limit' }) en: string;
}
