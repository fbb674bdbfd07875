import { useState, type ReactElement } from 'react';
import { answerOf, api, dataOf, type Schemas } from '../../api/client.js';
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
import { useTexts } from '../../texts/language.js';
import { word } from '../../texts/words.js';
import { Invitations } from './invitations.js';
import { texts } from './texts.js';
import { useChange } from './data.js';

type Operator = Schemas['OperatorView'];

type Role = Operator['roles'][number];

const ROLES: readonly Role[] = ['ADMIN', 'COMPLIANCE_OFFICER', 'ANALYST', 'AUDITOR', 'DEVELOPER'];

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
          about={asking.who.id}
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
          about={asking.who.id}
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
