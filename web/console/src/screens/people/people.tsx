import { useState, type ReactElement } from 'react';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
import { changing } from '../../data/calls/change.js';
import { useMay, useMe } from '../../data/me.js';
import { pageQuery, usePages } from '../../data/calls/paging.js';
import { useComplain } from '../../parts/complain.js';
import { Button, Pill } from '../../parts/controls.js';
import { FormDialog, type FormField } from '../../parts/dialogs/form-dialog.js';
import { Table } from '../../parts/lists/table.js';
import { useTitle } from '../../parts/title.js';
import { say } from '../../parts/toasts.js';
import { WritingDialog } from '../../parts/dialogs/writing-dialog.js';
import { common } from '../../texts/common.js';
import { relative } from '../../texts/formats.js';
import { useTexts, type Catalogue } from '../../texts/language.js';
import { word } from '../../texts/words.js';

type Pair = readonly [string, string];

const pt = {
  title: 'Pessoas',
  name: 'Nome',
  email: 'E-mail',
  roles: 'Papéis',
  state: 'Estado',
  second: 'Segundo fator',
  last: 'Última entrada',
  never: 'nunca',
  yes: 'tem',
  no: 'não tem',
  machine: 'máquina',
  you: 'você',
  enabled: 'ligada',
  disabled: 'desligada',
  empty: ['Ninguém', 'Convide a primeira pessoa.'] as Pair,
  invite: 'Convidar',
  inviteHint:
    'O convite sai quando outra pessoa que administra aprovar. O código vai só a quem foi convidado.',
  changeRoles: 'Mudar papéis',
  rolesHint: 'Papéis a mais valem quando outra pessoa aprovar.',
  reset: 'Tirar o segundo fator',
  enable: 'Deixar entrar de novo',
  disable: 'Desligar',
  disabledNow: (cases: number) =>
    `Desligada: está fora em um segundo.${cases > 0 ? ` Casos de volta à fila: ${cases}.` : ''}`,
  end: 'Encerrar sessões',
  ended: 'Sessões encerradas.',
  invitations: 'Convites',
  invitationsEmpty: [
    'Nenhum convite aberto',
    'Convites aceitos viram pessoas; os outros valem 72 horas.',
  ] as Pair,
  expires: 'Vale até',
  takeBack: 'Retirar',
  takenBack: 'Convite retirado.',
};
const en: typeof pt = {
  title: 'People',
  name: 'Name',
  email: 'E-mail',
  roles: 'Roles',
  state: 'State',
  second: 'Second factor',
  last: 'Last sign-in',
  never: 'never',
  yes: 'has one',
  no: 'has none',
  machine: 'machine',
  you: 'you',
  enabled: 'enabled',
  disabled: 'disabled',
  empty: ['Nobody', 'Invite the first person.'],
  invite: 'Invite',
  inviteHint:
    'The invitation leaves when another administrator approves. The code goes to the invited person alone.',
  changeRoles: 'Change roles',
  rolesHint: 'More roles are in force when another person approves.',
  reset: 'Take the second factor away',
  enable: 'Let in again',
  disable: 'Disable',
  disabledNow: (cases: number) =>
    `Disabled: out within a second.${cases > 0 ? ` Cases back in the queue: ${cases}.` : ''}`,
  end: 'End sessions',
  ended: 'The sessions are ended.',
  invitations: 'Invitations',
  invitationsEmpty: ['No open invitation', 'Accepted ones become people; the others are good for 72 hours.'],
  expires: 'Good until',
  takeBack: 'Take back',
  takenBack: 'The invitation is taken back.',
};
const texts: Catalogue<typeof pt> = { pt, en };

type Operator = Schemas['OperatorView'];
type Role = Operator['roles'][number];
const ROLES: readonly Role[] = ['ADMIN', 'COMPLIANCE_OFFICER', 'ANALYST', 'AUDITOR', 'DEVELOPER'];

const useChange = changing('operators', 'invitations', 'approvals', 'people');

interface Asking {
  readonly kind: 'ROLES' | 'RESET' | 'ENABLE';
  readonly who: Operator;
}

/** Who may sign in, with which roles; powers are given by two people, and taken away by one. */
export function PeopleScreen(): ReactElement {
  const t = useTexts(texts);
  const c = useTexts(common);
  useTitle(t.title);
  const may = useMay();
  const complain = useComplain();
  const { data: me } = useMe();
  const operators = usePages<Operator>({
    key: ['operators'],
    ask: (cursor) => answerOf(api.GET('/operator/operators', { params: { query: pageQuery(cursor) } })),
  });
  const [asking, ask] = useState<Asking | 'INVITE' | null>(null);
  const path = (id: string): { params: { path: { id: string } } } => ({ params: { path: { id } } });
  const invite = useChange((body: Schemas['InviteBody']) =>
    dataOf(api.POST('/operator/invitations', { body })),
  );
  const askFor = useChange<{ asking: Asking; reason: string; roles: readonly Role[] }, unknown>(
    ({ asking: { kind, who }, reason, roles }) => {
      if (kind === 'ROLES') {
        return dataOf(
          api.POST('/operator/operators/{id}/roles', {
            ...path(who.id),
            body: { reason, roles: [...roles] },
          }),
        );
      }
      return kind === 'RESET'
        ? dataOf(api.POST('/operator/operators/{id}/totp/reset', { ...path(who.id), body: { reason } }))
        : dataOf(api.POST('/operator/operators/{id}/enable', { ...path(who.id), body: { reason } }));
    },
  );
  const disable = useChange((id: string) => dataOf(api.POST('/operator/operators/{id}/disable', path(id))));
  const endSessions = useChange((id: string) =>
    dataOf(api.POST('/operator/operators/{id}/sessions/end', path(id))),
  );
  const close = (): void => {
    ask(null);
  };
  const manages = may('operators:manage') === 'YES';
  const roleField = (initial: readonly Role[]): FormField => ({
    name: 'roles',
    label: t.roles,
    kind: 'choices',
    options: ROLES.map((one) => [one, word('role', one)]),
    initial,
  });
  const rolesOf = (chosen: readonly string[]): Role[] => ROLES.filter((one) => chosen.includes(one));
  return (
    <div className="stack">
      <header className="row">
        <h1>{t.title}</h1>
        {manages && (
          <Button
            className="end"
            onClick={() => {
              ask('INVITE');
            }}
          >
            {t.invite}
          </Button>
        )}
      </header>
      <section className="card">
        <Table
          caption={t.title}
          pages={operators}
          keyOf={({ id }) => id}
          empty={t.empty}
          columns={[
            [
              t.name,
              ({ id, name, kind, email }) => (
                <>
                  <strong>{name}</strong> {id === me?.id && <Pill tone="info">{t.you}</Pill>}{' '}
                  {kind === 'MACHINE' && <Pill>{t.machine}</Pill>}
                  <div className="quiet small">{email}</div>
                </>
              ),
            ],
            [t.roles, ({ roles }) => roles.map((role) => word('role', role)).join(', ') || '—'],
            [
              t.state,
              ({ status }) => (
                <Pill tone={status === 'ENABLED' ? 'good' : 'warn'}>
                  {status === 'ENABLED' ? t.enabled : t.disabled}
                </Pill>
              ),
            ],
            [
              t.second,
              ({ totpEnrolled, loginMethod }) =>
                loginMethod === 'PASSWORD' ? (
                  <Pill tone={totpEnrolled ? 'good' : 'warn'}>{totpEnrolled ? t.yes : t.no}</Pill>
                ) : (
                  loginMethod
                ),
            ],
            [t.last, ({ lastLoginAt }) => (lastLoginAt === null ? t.never : relative(lastLoginAt)), 'quiet'],
            [
              '',
              (who) =>
                manages &&
                who.id !== me?.id &&
                who.kind === 'PERSON' && (
                  <span className="row">
                    {(
                      ['ROLES', 'RESET', ...(who.status === 'DISABLED' ? (['ENABLE'] as const) : [])] as const
                    ).map((kind) => (
                      <Button
                        key={kind}
                        onClick={() => {
                          ask({ kind, who });
                        }}
                      >
                        {kind === 'ROLES' ? t.changeRoles : kind === 'RESET' ? t.reset : t.enable}
                      </Button>
                    ))}
                    <Button
                      onClick={() => {
                        endSessions.mutate(who.id, {
                          onSuccess: () => {
                            say(t.ended);
                          },
                          onError: complain,
                        });
                      }}
                    >
                      {t.end}
                    </Button>
                    {who.status === 'ENABLED' && (
                      <Button
                        look="danger"
                        onClick={() => {
                          disable.mutate(who.id, {
                            onSuccess: ({ casesReturned }) => {
                              say(t.disabledNow(casesReturned));
                            },
                            onError: complain,
                          });
                        }}
                      >
                        {t.disable}
                      </Button>
                    )}
                  </span>
                ),
            ],
          ]}
        />
      </section>
      <Invitations />
      {asking === 'INVITE' && (
        <FormDialog
          title={t.invite}
          action={t.invite}
          fields={[
            { name: 'name', label: t.name, kind: 'text' },
            { name: 'email', label: t.email, kind: 'email' },
            roleField(['ANALYST']),
            { name: 'reason', label: c.why, kind: 'long', minimum: 10 },
          ]}
          onSend={async (filled) => {
            await invite.mutateAsync({
              name: filled.text('name'),
              email: filled.text('email'),
              roles: rolesOf(filled.many('roles')),
              reason: filled.text('reason'),
            });
            say(c.askedSecond);
          }}
          onClose={close}
        >
          <p className="quiet">{t.inviteHint}</p>
        </FormDialog>
      )}
      {asking !== null && asking !== 'INVITE' && asking.kind === 'ROLES' && (
        <FormDialog
          title={t.changeRoles}
          action={t.changeRoles}
          fields={[roleField(asking.who.roles), { name: 'reason', label: c.why, kind: 'long', minimum: 10 }]}
          onSend={async (filled) => {
            await askFor.mutateAsync({
              asking,
              reason: filled.text('reason'),
              roles: rolesOf(filled.many('roles')),
            });
            say(c.askedSecond);
          }}
          onClose={close}
        >
          <p className="quiet">{t.rolesHint}</p>
        </FormDialog>
      )}
      {asking !== null && asking !== 'INVITE' && asking.kind !== 'ROLES' && (
        <WritingDialog
          title={asking.kind === 'RESET' ? t.reset : t.enable}
          label={c.why}
          action={asking.kind === 'RESET' ? t.reset : t.enable}
          onSend={async (reason) => {
            await askFor.mutateAsync({ asking, reason, roles: [] });
            say(c.askedSecond);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function Invitations(): ReactElement {
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
