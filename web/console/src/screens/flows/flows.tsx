import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { useActor } from '../../parts/evidence/trail.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { number, relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { flowOf, textIn, useFlows } from './data.js';
import { flowsTexts } from './texts.js';

/** The newest version of each flow. */
export function FlowsScreen(): ReactElement {
  const t = useTexts(flowsTexts);
  const language = useLanguage();
  useTitle(t.title);
  const may = useMay();
  const nameOf = useActor();
  const flows = useFlows();
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {may('flows:manage') === 'YES' && (
          <Link className="button end" to="/flows/$key" params={{ key: 'new' }}>
            {t.new}
          </Link>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.title}
          pages={flows}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.flow,
              (version) => (
                <>
                  <Link to="/flows/$key" params={{ key: version.key }}>
                    {textIn(flowOf(version).name, language === 'pt' ? 'pt-BR' : 'en')}
                  </Link>{' '}
                  <code className="quiet">{`${version.key}@${version.version}`}</code>
                </>
              ),
            ],
            [t.steps, (version) => number(flowOf(version).steps.length), 'number'],
            [t.made, ({ createdAt }) => relative(createdAt), 'quiet'],
            [t.by, ({ createdBy }) => nameOf(createdBy), 'quiet'],
          ]}
        />
      </section>
    </div>
  );
}
