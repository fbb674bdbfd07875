import { useState, type ReactElement } from 'react';
import { useMay } from '../../data/me.js';
import { useComplain } from '../../parts/complain.js';
import { Button } from '../../parts/controls.js';
import { FormDialog } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/language.js';
import { useApps, type App } from '../apps/data.js';
import { useColour, usePutLogo, useRemoveLogo } from './data.js';
import { settingsTexts } from './texts.js';

/** How the page for end users looks: the name, the logo and the colour of each application. */
export function Branding(): ReactElement {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const may = useMay();
  const complain = useComplain();
  const apps = useApps();
  const colour = useColour();
  const put = usePutLogo();
  const remove = useRemoveLogo();
  const [asking, ask] = useState<{ readonly kind: 'LOGO' | 'COLOUR'; readonly app: App } | null>(null);
  const close = (): void => {
    ask(null);
  };
  const manages = may('apps:manage') === 'YES';
  return (
    <section className="card stack">
      <h2>{t.branding}</h2>
      <Table
        caption={t.branding}
        pages={apps}
        keyOf={({ id }) => id}
        empty={t.appsEmpty}
        columns={[
          [t.app, ({ name }) => <strong>{name}</strong>],
          [t.publicName, ({ publicName }) => publicName],
          [
            t.logo,
            ({ hasLogo, branding }) =>
              hasLogo ? t.hasLogo : branding.logoUrl === null ? t.noLogo : t.linked,
          ],
          [t.colour, ({ branding }) => <Colour value={branding.primaryColor} />],
          [
            '',
            (app) =>
              manages && (
                <span className="row">
                  <Button
                    onClick={() => {
                      ask({ kind: 'LOGO', app });
                    }}
                  >
                    {t.upload}
                  </Button>
                  {app.hasLogo && (
                    <Button
                      look="danger"
                      onClick={() => {
                        remove.mutate(app.id, {
                          onSuccess: () => {
                            say(t.removed);
                          },
                          onError: complain,
                        });
                      }}
                    >
                      {t.removeLogo}
                    </Button>
                  )}
                  <Button
                    onClick={() => {
                      ask({ kind: 'COLOUR', app });
                    }}
                  >
                    {t.changeColour}
                  </Button>
                </span>
              ),
          ],
        ]}
      />
      {asking?.kind === 'LOGO' && (
        <FormDialog
          title={t.upload}
          action={t.upload}
          fields={[
            {
              name: 'file',
              label: t.file,
              kind: 'file',
              accept: 'image/png,image/jpeg,image/webp',
              hint: t.uploadHint,
            },
          ]}
          onSend={async (filled) => {
            const file = filled.file('file');
            if (!file) return;
            await put.mutateAsync({ id: asking.app.id, file });
            say(t.uploaded);
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'COLOUR' && (
        <FormDialog
          title={t.changeColour}
          action={t.changeColour}
          fields={[
            {
              name: 'colour',
              label: t.colour,
              kind: 'text',
              optional: true,
              hint: t.colourHint,
              initial: asking.app.branding.primaryColor ?? '',
            },
          ]}
          onSend={async (filled) => {
            const text = filled.text('colour');
            await colour.mutateAsync({ id: asking.app.id, colour: text === '' ? null : text });
            say(c.saved);
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

const Colour = ({ value }: { value: string | null }): ReactElement =>
  value === null ? (
    <span className="quiet">—</span>
  ) : (
    <span className="row">
      <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" fill={value} />
      </svg>
      <code>{value}</code>
    </span>
  );
