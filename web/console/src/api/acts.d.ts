/** The words of the acts of two people, by act and language, as the sheets of the service have them. */
declare module 'virtual:acts' {
  type Words = Readonly<Record<'en' | 'pt', string>>;
  export const acts: Readonly<Record<string, Readonly<Record<'title' | 'effect' | 'undo', Words>>>>;
}
