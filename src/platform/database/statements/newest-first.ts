import { LessThan, type FindOperator } from 'typeorm';

interface NewestFirst<Where> {
  readonly where: Where & { id?: FindOperator<string> };
  readonly order: { readonly id: 'DESC' };
  readonly take: number;
}

/** Returns TypeORM find options for a page of rows with an id below `before`, the newest first. */
export const newestFirst = <Where extends object>(
  where: Where,
  before: string | null,
  take: number,
): NewestFirst<Where> => ({
  where: { ...where, ...(before !== null && { id: LessThan(before) }) },
  order: { id: 'DESC' },
  take,
});
