export const languages = ['pt-BR', 'en'] as const;
export type DossierLanguage = (typeof languages)[number];
