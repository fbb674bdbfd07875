import { languages, type FlowLanguage } from './flow/flow.js';

/** Returns the language of the response: the requested language, else the best of Accept-Language, else Portuguese. */
export function chooseLanguage(asked: string | undefined, acceptLanguage: string | undefined): FlowLanguage {
  const askedLanguage = asked === undefined ? null : languageOf(asked);
  if (askedLanguage) return askedLanguage;
  const accepted = (acceptLanguage ?? '')
    .slice(0, 256)
    .split(',')
    .map((part, i) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const q = parameters.map((one) => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(one)?.[1]).find(Boolean);
      return { tag, weight: q === undefined ? 1 : Number(q), i };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.i - b.i);
  for (const { tag } of accepted) {
    const language = languageOf(tag);
    if (language) return language;
  }
  return 'pt-BR';
}

/** Returns the supported language of a tag, in any region; null if it is not supported. */
function languageOf(tag: string): FlowLanguage | null {
  const [primary = ''] = tag.toLowerCase().split('-');
  return languages.find((language) => language.toLowerCase().split('-')[0] === primary) ?? null;
}
