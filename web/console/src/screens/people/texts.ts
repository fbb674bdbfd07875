import type { Catalogue } from '../../texts/language.js';

type Pair = readonly [string, string];

const pt = {
  title: 'Operadores',
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
  enabled: 'ativo',
  disabled: 'desativado',
  empty: ['Nenhum operador', 'Convide o primeiro.'] as Pair,
  invite: 'Convidar',
  inviteHint:
    'O convite sai quando outra pessoa que administra aprovar. O código vai só a quem foi convidado.',
  changeRoles: 'Mudar papéis',
  rolesHint: 'Papéis a mais valem quando outra pessoa aprovar.',
  reset: 'Redefinir o segundo fator',
  enable: 'Ativar',
  disable: 'Desativar',
  disabledNow: (cases: number) =>
    `Desativado: está fora em um segundo.${cases > 0 ? ` Casos de volta à fila: ${cases}.` : ''}`,
  end: 'Encerrar sessões',
  ended: 'Sessões encerradas.',
  invitations: 'Convites',
  invitationsEmpty: [
    'Nenhum convite aberto',
    'Um convite aceito vira um operador; os outros valem 72 horas.',
  ] as Pair,
  expires: 'Vale até',
  takeBack: 'Retirar',
  takenBack: 'Convite retirado.',
};

const en: typeof pt = {
  title: 'Operators',
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
  empty: ['No operator', 'Invite the first one.'],
  invite: 'Invite',
  inviteHint:
    'The invitation leaves when another administrator approves. The code goes to the invited person alone.',
  changeRoles: 'Change roles',
  rolesHint: 'More roles are in force when another person approves.',
  reset: 'Reset the second factor',
  enable: 'Enable',
  disable: 'Disable',
  disabledNow: (cases: number) =>
    `Disabled: out within a second.${cases > 0 ? ` Cases back in the queue: ${cases}.` : ''}`,
  end: 'End sessions',
  ended: 'The sessions are ended.',
  invitations: 'Invitations',
  invitationsEmpty: [
    'No open invitation',
    'An accepted one becomes an operator; the others are good for 72 hours.',
  ],
  expires: 'Good until',
  takeBack: 'Withdraw',
  takenBack: 'The invitation is withdrawn.',
};

export const texts: Catalogue<typeof pt> = { pt, en };
