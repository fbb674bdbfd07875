import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { usePeople } from '../../data/people.js';
import { Asked, Empty } from '../../parts/answers.js';
import { Button, Facts, Pill } from '../../parts/controls.js';
import type { Filled } from '../../parts/dialogs/filled.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { say } from '../../parts/toasts.js';
import { relative } from '../../texts/formats.js';
import { useLanguage, useTexts } from '../../texts/language.js';
import { useNotice, usePutNotice, type Notice } from './data.js';
import { settingsTexts } from './texts.js';

const TONGUES = ['pt-BR', 'en', 'es'] as const;
type Tongue = (typeof TONGUES)[number];
type Localised = Notice['retention'];
const PARTS = ['purposes', 'retention', 'biometrics'] as const;

/** The notice that people read before they are asked for anything. */
export function PrivacyNotice(): ReactElement {
  const t = useTexts(settingsTexts);
  const may = useMay();
  const people = usePeople();
  const language = useLanguage();
  const notice = useNotice();
  const [asking, ask] = useState(false);
  const inTongue = (text: Localised): string => (language === 'en' ? text.en : undefined) ?? text['pt-BR'];
  return (
    <section className="card stack">
      <h2>{t.notice}</h2>
      <Asked query={notice}>
        {(current) => (
          <>
            {current === null && <Empty title={t.noNotice[0]}>{t.noNotice[1]}</Empty>}
            {current && (
              <>
                <p className="row">
                  <Pill tone="good">{t.version(current.version)}</Pill>
                  <span className="quiet small">
                    {t.written(
                      people(current.createdBy.replace('operator:', '')) ?? current.createdBy,
                      relative(current.createdAt),
                    )}
                  </span>
                </p>
                <Facts
                  items={[
                    [
                      t.controller,
                      `${current.content.controller.name}, ${current.content.controller.document}`,
                    ],
                    [
                      t.purposes,
                      <ul key="purposes" className="plain">
                        {current.content.purposes.map((purpose, at) => (
                          <li key={at}>{inTongue(purpose)}</li>
                        ))}
                      </ul>,
                    ],
                    [t.retention, inTongue(current.content.retention)],
                    [t.biometrics, inTongue(current.content.biometrics)],
                    [t.officer, `${current.content.officer.name}, ${current.content.officer.contact}`],
                    [t.help, current.content.helpContact ?? '—'],
                  ]}
                />
              </>
            )}
            {may('settings:manage') === 'YES' && (
              <div>
                <Button
                  onClick={() => {
                    ask(true);
                  }}
                >
                  {t.writeNotice}
                </Button>
              </div>
            )}
            {asking && (
              <NoticeDialog
                notice={current?.content ?? null}
                onClose={() => {
                  ask(false);
                }}
              />
            )}
          </>
        )}
      </Asked>
    </section>
  );
}

const linesOf = (notice: Notice | null, part: (typeof PARTS)[number], tongue: Tongue): string => {
  if (notice === null) return '';
  if (part !== 'purposes') return notice[part][tongue] ?? '';
  return notice.purposes.map((purpose) => purpose[tongue] ?? '').join('\n');
};

/** Reads the fields of a part in all languages: its lines, each in the languages in which it was written. */
function written(filled: Filled, part: string): Localised[] {
  const others = TONGUES.slice(1).map((tongue) => [tongue, filled.lines(`${part} ${tongue}`)] as const);
  return filled.lines(`${part} pt-BR`).flatMap((text, at) => {
    if (text === '') return [];
    const translated = others.flatMap(([tongue, all]) => (all[at] ? [[tongue, all[at]]] : []));
    return [{ 'pt-BR': text, ...(Object.fromEntries(translated) as Partial<Localised>) }];
  });
}

/** Keeps a text in one piece, whatever lines it has. */
const whole = (filled: Filled, part: string): Localised => ({
  'pt-BR': filled.text(`${part} pt-BR`),
  ...Object.fromEntries(
    TONGUES.slice(1).flatMap((tongue) => {
      const text = filled.text(`${part} ${tongue}`);
      return text === '' ? [] : [[tongue, text]];
    }),
  ),
});

function NoticeDialog({ notice, onClose }: { notice: Notice | null; onClose: () => void }): ReactElement {
  const t = useTexts(settingsTexts);
  const put = usePutNotice();
  const text = (name: string, label: string, initial = ''): FormField => ({
    ...{ name, label, kind: 'text' as const, initial },
  });
  return (
    <FormDialog
      title={t.writeNotice}
      action={t.writeNotice}
      wide
      fields={[
        text('controller', t.controller, notice?.controller.name),
        text('document', t.document, notice?.controller.document),
        ...PARTS.flatMap((part) =>
          TONGUES.map((tongue): FormField => ({
            name: `${part} ${tongue}`,
            label: `${t[part]} (${t.tongues[tongue]}${part === 'purposes' ? `, ${t.aLine}` : ''})`,
            kind: 'long',
            initial: linesOf(notice, part, tongue),
            optional: tongue !== 'pt-BR',
          })),
        ),
        text('officer', t.officer, notice?.officer.name),
        text('contact', t.contact, notice?.officer.contact),
        { ...text('helpContact', t.help, notice?.helpContact), optional: true },
      ]}
      onSend={async (filled) => {
        const { version } = await put.mutateAsync({
          controller: { name: filled.text('controller'), document: filled.text('document') },
          purposes: written(filled, 'purposes'),
          retention: whole(filled, 'retention'),
          biometrics: whole(filled, 'biometrics'),
          officer: { name: filled.text('officer'), contact: filled.text('contact') },
          ...filled.given('helpContact'),
        });
        say(t.noticeKept(version));
      }}
      onClose={onClose}
    >
      <p className="quiet">{t.noticeHint}</p>
    </FormDialog>
  );
}
