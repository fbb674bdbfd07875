import { Field } from '../../../../platform/http/index.js';

/** A text in the languages of the page. Portuguese replaces a missing language. */
export class NoticeTextBody {
  @Field.text('In Brazilian Portuguese.', { maxLength: 5_000, example: 'Confirmar a sua identidade.' })
  'pt-BR': string;
  @Field.text('In English.', { optional: 'not null', maxLength: 5_000, example: 'To confirm who you are.' })
  en?: string;
  @Field.text('In Spanish.', { optional: 'not null', maxLength: 5_000, example: 'Confirmar su identidad.' })
  es?: string;
}
