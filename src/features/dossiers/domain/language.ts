export const languages = ['pt-BR', 'en'] as const;
export type Language = (typeof languages)[number];
