/** The permissions of operators, as `area:action`. Shown in docs/operators.md and in `GET /operator/me`. */
export const permissions = [
  'apps:read',
  'apps:manage',
  'apps:secrets',
  'operators:read',
  'operators:manage',
  'webhooks:read',
  'webhooks:manage',
  'webhooks:secrets',
  'kyt:read',
  'kyt:replay',
  'kyt:evaluate',
  'rules:read',
  'rules:write',
  'rules:publish',
  'screening:read',
  'lists:manage',
  'hits:decide',
  'reviews:read',
  'reviews:work',
  'reviews:decide',
  'reviews:approve',
  'customers:read',
  'customers:export',
  'customers:reveal',
  'customers:erase',
  'sessions:read',
  'sessions:create',
  'flows:manage',
  'artifacts:read',
  'audit:read',
  'audit:export',
  'audit:repair',
  'settings:manage',
] as const;
export type Permission = (typeof permissions)[number];

/**
 * Permissions that need a login with a second factor: decisions, exports, secrets, publishing, revealing, repairs, and
 * permissions that could be used to obtain these. Without a second factor a call is refused with
 * STRONG_LOGIN_REQUIRED.
 */
export const strongPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'apps:secrets',
  'operators:manage',
  'webhooks:secrets',
  'kyt:evaluate',
  'rules:publish',
  'lists:manage',
  'hits:decide',
  'reviews:decide',
  'reviews:approve',
  'customers:export',
  'customers:reveal',
  'customers:erase',
  // Covers the data that flows require of people, and the secrets with which providers sign their answers.
  'flows:manage',
  // Images of identity documents are as sensitive as the accounts that can be opened with them.
  'artifacts:read',
  'audit:export',
  'audit:repair',
  'settings:manage',
]);

export const roles = ['ADMIN', 'COMPLIANCE_OFFICER', 'ANALYST', 'AUDITOR', 'DEVELOPER'] as const;
export type Role = (typeof roles)[number];

/**
 * Each role has only the permissions that its work needs. An administrator manages access and does not decide about
 * transactions or customers. A person who needs both has both roles, and the audit trail shows that.
 */
export const permissionsOfRole: Readonly<Record<Role, readonly Permission[]>> = {
  ADMIN: [
    'apps:read',
    'apps:manage',
    'apps:secrets',
    'operators:read',
    'operators:manage',
    'webhooks:read',
    'webhooks:manage',
    'webhooks:secrets',
    'kyt:read',
    'rules:read',
    'screening:read',
    'reviews:read',
    'sessions:read',
    'flows:manage',
    'audit:read',
    'settings:manage',
  ],
  COMPLIANCE_OFFICER: [
    'apps:read',
    'operators:read',
    'webhooks:read',
    'kyt:read',
    'kyt:replay',
    'kyt:evaluate',
    'rules:read',
    'rules:write',
    'rules:publish',
    'screening:read',
    'lists:manage',
    'hits:decide',
    'reviews:read',
    'reviews:work',
    'reviews:decide',
    'reviews:approve',
    'customers:read',
    'customers:export',
    'customers:reveal',
    'customers:erase',
    'sessions:read',
    'sessions:create',
    'flows:manage',
    'artifacts:read',
    'audit:read',
    'audit:export',
    'audit:repair',
  ],
  ANALYST: [
    'kyt:read',
    'kyt:evaluate',
    'rules:read',
    'screening:read',
    'hits:decide',
    'reviews:read',
    'reviews:work',
    'reviews:decide',
    'customers:read',
    'customers:export',
    'sessions:read',
    'sessions:create',
    'artifacts:read',
  ],
  // Reads and exports everything; changes nothing.
  AUDITOR: [
    'apps:read',
    'operators:read',
    'webhooks:read',
    'kyt:read',
    'rules:read',
    'screening:read',
    'reviews:read',
    'customers:read',
    'customers:export',
    'sessions:read',
    'artifacts:read',
    'audit:read',
    'audit:export',
  ],
  DEVELOPER: [
    'apps:read',
    'webhooks:read',
    'webhooks:manage',
    'webhooks:secrets',
    'kyt:read',
    'kyt:replay',
    'rules:read',
    'sessions:read',
  ],
};

/** Returns the permissions of all these roles together. */
export const permissionsOf = (held: readonly Role[]): ReadonlySet<Permission> =>
  new Set(held.flatMap((role) => permissionsOfRole[role]));
