import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { Button, Pill } from '../../parts/controls.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { allOf, Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { number } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { inputs, useInputs, useSetInputs, type AppInputs } from './data.js';
import { inputsTexts } from './inputs-texts.js';

/** Shows what each application sends and what the missing costs, and asks the four questions. */
export function Inputs(): ReactElement {
  const t = useTexts(inputsTexts);
  const may = useMay();
  const report = useInputs();
  const set = useSetInputs();
  const [asking, ask] = useState<AppInputs | null>(null);
  const hintOf = (app: AppInputs, input: string): string => {
    const { lacked = 0, costsInReview = 0, said = false } = coverageOf(app, input) ?? {};
    const [costs, all] = [number(costsInReview), number(app.transactions)];
    return lacked === 0 ? t.notMissed(all) : said ? t.spared(costs, all) : t.costs(costs, all);
  };
  const questions = (app: AppInputs): readonly FormField[] => [
    ...inputs.map((input): FormField => ({
      ...{ name: input, label: t.questions[input], kind: 'choice', hint: hintOf(app, input) },
      options: [
        ['YES', t.sends],
        ['NO', t.sendsNot],
      ],
      initial: app.withoutInputs.includes(input) ? 'NO' : 'YES',
    })),
    { name: 'reason', label: t.why, kind: 'long', minimum: 10 },
  ];
  return (
    <section className="card stack">
      <h2>{t.title}</h2>
      <p className="quiet small">{t.hint}</p>
      <Table
        caption={t.title}
        pages={allOf(report)}
        keyOf={({ id }) => id}
        empty={t.empty}
        columns={[
          [t.app, ({ name }) => <strong>{name}</strong>],
          [
            t.came,
            (app) => (
              <span className="small">
                {app.inputs.map((one) => (
                  <span key={one.input} className="row">
                    {t.line(word('input', one.input), number(one.came), number(one.lacked))}
                    {one.said && <Pill tone="warn">{t.leftOut}</Pill>}
                    {app.richer.includes(one.input) && <Pill tone="good">{t.richer}</Pill>}
                  </span>
                ))}
              </span>
            ),
          ],
          [t.review, ({ inReview, transactions }) => t.of(number(inReview), number(transactions)), 'number'],
          [t.ifSaid, ({ inReviewIfAllSaid }) => number(inReviewIfAllSaid), 'number'],
          [
            '',
            (app) =>
              may('rules:publish') === 'YES' && (
                <Button
                  onClick={() => {
                    ask(app);
                  }}
                >
                  {t.answer}
                </Button>
              ),
          ],
        ]}
      />
      {asking && (
        <FormDialog
          title={t.answer}
          about={asking.id}
          action={t.send}
          fields={questions(asking)}
          onSend={async (filled) => {
            const withoutInputs = inputs.filter((input) => filled.text(input) === 'NO');
            const isAsked = withoutInputs.some((input) => !asking.withoutInputs.includes(input));
            await set.mutateAsync({
              id: asking.id,
              withoutInputs,
              reason: isAsked ? filled.text('reason') : null,
            });
            say(isAsked ? t.asked : t.done);
          }}
          onClose={() => {
            ask(null);
          }}
        />
      )}
    </section>
  );
}

const coverageOf = (app: AppInputs, input: string): AppInputs['inputs'][number] | undefined =>
  app.inputs.find((one) => one.input === input);
