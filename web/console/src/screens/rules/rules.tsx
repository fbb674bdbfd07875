import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Pill } from '../../parts/controls.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { number, relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useRules, useRulesets } from './data.js';
import { rulesTexts } from './texts.js';

/** The rulesets that judge, and the rules that stand in them. */
export function RulesScreen(): ReactElement {
  const t = useTexts(rulesTexts);
  const language = useLanguage();
  const inTongue = language === 'pt' ? 'pt-BR' : 'en';
  useTitle(t.title);
  const may = useMay();
  const rulesets = useRulesets();
  const rules = useRules();
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {may('rules:write') === 'YES' && (
          <Link className="button end" to="/rules/$key" params={{ key: 'new' }}>
            {t.newRule}
          </Link>
        )}
      </header>
      <section className="card stack">
        <h2>{t.rulesets}</h2>
        <Table
          caption={t.rulesets}
          pages={rulesets}
          keyOf={({ id }) => id}
          empty={t.rulesetsEmpty}
          columns={[
            [
              t.ruleset,
              ({ key, version, name }) => (
                <Link to="/rulesets/$key/$version" params={{ key, version: String(version) }}>
                  {name[inTongue]} <code>{`${key}@${version}`}</code>
                </Link>
              ),
            ],
            [
              t.state,
              ({ status }) => (
                <Pill tone={status === 'PUBLISHED' ? 'good' : status === 'DRAFT' ? 'warn' : 'plain'}>
                  {word('rulesetStatus', status)}
                </Pill>
              ),
            ],
            [t.rules, ({ rules: held }) => number(held.length), 'number'],
            [
              t.published,
              ({ publication }) =>
                publication.publishedAt === null ? '—' : relative(publication.publishedAt),
              'quiet',
            ],
          ]}
        />
      </section>
      <section className="card stack">
        <h2>{t.rules}</h2>
        <Table
          caption={t.rules}
          pages={rules}
          keyOf={({ id }) => id}
          empty={t.rulesEmpty}
          columns={[
            [
              t.rule,
              ({ key, version, definition }) => (
                <Link to="/rules/$key" params={{ key }}>
                  {definition.name[inTongue]} <code>{`${key}@${version}`}</code>
                </Link>
              ),
            ],
            [
              t.state,
              ({ status }) => (
                <Pill tone={status === 'RELEASED' ? 'good' : 'warn'}>{word('rulesetStatus', status)}</Pill>
              ),
            ],
            [t.points, ({ definition }) => definition.score.points, 'number'],
            [t.when, ({ definition }) => <code className="clip">{definition.when}</code>],
          ]}
        />
      </section>
    </div>
  );
}
