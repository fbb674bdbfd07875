import type { ReactElement } from 'react';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { useMay } from '../../data/me.js';
import { pageQuery, usePages } from '../../data/calls/paging.js';
import { useComplain } from '../../parts/complain.js';
import { Button } from '../../parts/controls.js';
import { Table } from '../../parts/lists/table.js';
import { say } from '../../parts/toasts.js';
import { relative } from '../../texts/formats.js';
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { useChange } from './data.js';
import { texts } from './texts.js';

export function Invitations(): ReactElement {
  const t = useTexts(texts);
  const may = useMay();
  const complain = useComplain();
  const invitations = usePages<Schemas['InvitationView']>({
    key: ['invitations'],
    ask: (cursor) => answerOf(api.GET('/operator/invitations', { params: { query: pageQuery(cursor) } })),
  });
  const takeBack = useChange((id: string) =>
    dataOf(api.DELETE('/operator/invitations/{id}', { params: { path: { id } } })),
  );
  return (
    <section className="card stack">
      <h2>{t.invitations}</h2>
      <Table
        caption={t.invitations}
        pages={invitations}
        keyOf={({ id }) => id}
        empty={t.invitationsEmpty}
        columns={[
          [t.name, ({ name, email }) => [name, email].filter(Boolean).join(' · ') || '—'],
          [t.roles, ({ roles }) => roles.map((role) => word('role', role)).join(', ')],
          [t.expires, ({ expiresAt }) => relative(expiresAt), 'quiet'],
          [
            '',
            ({ id }) =>
              may('operators:manage') === 'YES' && (
                <Button
                  onClick={() => {
                    takeBack.mutate(id, {
                      onSuccess: () => {
                        say(t.takenBack);
                      },
                      onError: complain,
                    });
                  }}
                >
                  {t.takeBack}
                </Button>
              ),
          ],
        ]}
      />
    </section>
  );
}
