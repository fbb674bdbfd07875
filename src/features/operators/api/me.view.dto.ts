import { actNames, type ApprovalAction } from '../../approvals/index.js';
import {
  permissions,
  roles,
  strongPermissions,
  View,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import type { OwnAccount } from '../store/operator.queries.js';

export class OrganisationView {
  @View.id('org', 'The id of the organisation.') id: string;
  @View.text('The key of the organisation, which never changes.', { example: 'demo' }) key: string;
  @View.text('The name of the organisation.', { example: 'Demo organisation' }) name: string;
}

export class MeView {
  @View.id('opr', 'The id of the operator.') id: string;
  @View.enum(['PERSON', 'MACHINE'], 'Whether a person or a machine is logged in.', { example: 'PERSON' })
  kind: string;
  @View.textOrNull('The address for mail, with which the operator logs in.', {
    format: 'email',
    example: 'ana@example.com',
  })
  email: string | null;
  @View.text('The name of the operator.', { example: 'Ana' }) name: string;
  @View.object(OrganisationView, 'The organisation.') organisation: OrganisationView;
  @View.enums(roles, 'The roles of the operator.', { example: ['ANALYST'] }) roles: readonly string[];

  @View.enums(permissions, 'What this session may do now.', { example: ['kyt:read'] })
  permissions: readonly string[];

  @View.enums([...strongPermissions], 'What the roles allow, but only after a login with a second factor.', {
    example: ['reviews:decide'],
  })
  lockedPermissions: readonly string[];

  @View.flag('Whether this login had a second factor.', { example: true }) strong: boolean;
  @View.flag('Whether an authenticator app is set up.', { example: true }) totpEnrolled: boolean;
  @View.integer('How many passkeys there are.', { example: 1 }) passkeys: number;
  @View.id('ops', 'The id of the session.') sessionId: string;

  @View.enums(
    actNames,
    'Acts that somebody of the organisation could only decide alone: single control. Empty: nobody decides alone.',
    { example: [] },
  )
  singleControl: readonly string[];

  static of(
    operator: OperatorPrincipal,
    account: OwnAccount,
    singleControl: readonly ApprovalAction[],
  ): MeView {
    const heldPermissions = permissions.filter((permission) => operator.permissions.has(permission));
    const lockedPermissions = operator.strong
      ? []
      : heldPermissions.filter((permission) => strongPermissions.has(permission));
    return {
      id: publicId('opr', operator.id),
      kind: operator.kind,
      ...account,
      roles: operator.roles,
      permissions: heldPermissions.filter((permission) => !lockedPermissions.includes(permission)),
      lockedPermissions: lockedPermissions,
      strong: operator.strong,
      sessionId: publicId('ops', operator.sessionId),
      singleControl,
    };
  }
}
