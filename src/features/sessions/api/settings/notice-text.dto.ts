import { Field } from '../../../../platform/http/index.js';

/** A text for people in the languages of the page; Portuguese stands in where another one is missing. */
export class NoticeTextBody {
  @Field.text({ maxLength: 5_000, example: 'Confirmar a sua identidade.' }) 'pt-BR': string;
  @Field.text({ optional: 'not null', maxLength: 5_000, example: 'To confirm who you are.' }) en?: string;
  @Field.text({ optional: 'not null', maxLength: 5_000, example: 'Confirmar su identidad.' }) es?: string;
}
