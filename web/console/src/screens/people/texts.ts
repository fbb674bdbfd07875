import type { Catalogue } from '../../texts/language.js';

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

export const texts: Catalogue<typeof pt> = { pt, en };
