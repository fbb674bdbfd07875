import type { Language } from './guides.js';
import { escapeHtml } from './markup.js';

export interface MenuEntry {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  /** English if left out, like the frame. */
  readonly lang?: Language;
}

/** The parts that all pages share. */
export interface PageFrame {
  readonly service: string;
  readonly menu: readonly MenuEntry[];
  /** Paths of the style sheet and the script, which contain a hash of their content. */
  readonly style: string;
  readonly script: string;
}

const TOP_LINKS: readonly (readonly [path: string, title: string])[] = [
  ['/developers/start', 'Quick start'],
  ['/developers/reference', 'API reference'],
  ['/developers/webhooks', 'Events'],
  ['/developers/sandbox', 'Scenarios'],
  ['/docs/errors', 'Errors'],
  ['/docs', 'Try it'],
  ['/console', 'Console'],
];

const langAttribute = (lang: Language = 'en'): string => (lang === 'en' ? '' : ` lang="${lang}"`);

const link = (here: string, path: string, title: string): string =>
  `<a href="${escapeHtml(path)}"${here === path ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;

/** Returns the whole page. It is readable without its script, which only adds search and copy buttons. */
export function pageWithFrame(
  { service, menu, style, script }: PageFrame,
  here: string,
  title: string,
  body: string,
  lang?: Language,
): string {
  const groups = [...new Set(menu.map(({ group }) => group))].map(
    (group) =>
      `<li><details${menu.some((one) => one.group === group && one.path === here) || group === 'Begin' ? ' open' : ''}${langAttribute(menu.find((one) => one.group === group)?.lang)}>` +
      `<summary>${escapeHtml(group)}</summary><ul>${menu
        .filter((one) => one.group === group)
        .map((one) => `<li>${link(here, one.path, one.title)}</li>`)
        .join('')}</ul></details></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} · ${escapeHtml(service)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${style}"><script src="${script}" defer></script></head>
<body><a class="skip" href="#main">Skip to the text</a>
<header><a class="name" href="/developers">${escapeHtml(service)} <span>developers</span></a>
<nav aria-label="Sections">${TOP_LINKS.map(([path, name]) => link(here, path, name)).join('')}</nav>
<div class="search" role="search" hidden><input type="search" aria-label="Search the documents" placeholder="Search  /" autocomplete="off" spellcheck="false"><div class="found" aria-live="polite" hidden></div></div></header>
<div class="page"><nav class="menu" aria-label="Documents"><ul>${groups.join('')}</ul></nav>
<main id="main"${langAttribute(lang)}>${body}</main></div></body></html>`;
}
