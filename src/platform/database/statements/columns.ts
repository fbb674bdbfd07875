import { DefaultNamingStrategy } from 'typeorm';

/** The column of a property: `organisationId` is stored as `organisation_id`. */
export type ColumnName<Property extends string> = Property extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : Property;

/** Computes the name that the type `ColumnName` promises. */
export const columnName = <Property extends string>(property: Property): ColumnName<Property> =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ColumnName<Property>;

/** Derives the names of columns from the properties of entities, so that nobody writes them a second time. */
export class ColumnNamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, customName: string | undefined): string {
    return customName ?? columnName(property);
  }
}
