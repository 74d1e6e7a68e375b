/** Roles, permission keys and the role → resource → actions map (specification, section 6): data, checked on every call. */
export const roles = ['user', 'operator', 'admin', 'superadmin'] as const;
export type Role = (typeof roles)[number];

export const permissionKeys = [
  'sim',
  'shared-pool-cube',
  'sim-report-cube',
  'customer-bill-cube',
  'cube-schedule-sms',
  'autoflow-cube',
  'cdr',
  'cube-developer-key',
  'account',
] as const;
export type PermissionKey = (typeof permissionKeys)[number];

/** `operate`: suspend, resume, reset, send; `write`: manage; `all` includes the others. */
export const actions = ['all', 'read', 'operate', 'write'] as const;
export type Action = (typeof actions)[number];

/** Permissions of a role; `'*'` stands for every key. */
export type PermissionMap = Partial<Record<PermissionKey | '*', readonly Action[]>>;

export const permissionsByRole: Record<Role, PermissionMap> = {
  user: { sim: ['read'], cdr: ['read'], 'cube-schedule-sms': ['read'] },
  operator: { sim: ['read', 'operate'], cdr: ['read'], 'cube-schedule-sms': ['read', 'operate'] },
  admin: { '*': ['all'] },
  superadmin: { '*': ['all'] },
};

/** Whether the map allows the action on the key. `'*'` includes all keys, and `all` includes all actions. */
export const allows = (map: PermissionMap, key: PermissionKey, action: Exclude<Action, 'all'>): boolean =>
  [map['*'], map[key]].some((granted) => granted?.includes('all') || granted?.includes(action));

/**
 * "Only admins may transfer SIMs, may edit SIM info and tags, and may change report preferences" (section 6): these
 * permissions cannot be granted individually to others either. The same applies to managing accounts, because an account that may do
 * that could obtain all other permissions.
 */
const adminKeys: readonly PermissionKey[] = ['account', 'sim', 'sim-report-cube'];

/** Whether an individual permission may be granted to an account whose role does not have all permissions. */
export const isGrantable = (key: PermissionKey, action: Action): boolean =>
  action === 'read' || (action === 'operate' && key !== 'account') || !adminKeys.includes(key);

/**
 * Whether an API key with fewer permissions than its account may have it: changes of accounts would let the key grant
 * permissions to others, so it has them only together with all others of its account.
 */
export const isGrantableToKey = (key: PermissionKey, action: Action): boolean =>
  key !== 'account' || action === 'read';

/**
 * Effective permissions of an account: those of its role, with the keys that were changed for this account only, as far as
 * these may be granted. Roles that have all permissions (`'*'`) can't be changed by key.
 */
export const effectivePermissions = (role: Role, changes: PermissionMap): PermissionMap =>
  withChanges(permissionsByRole[role], changes);

/** The same for the stored permissions of a role. */
export const withChanges = (ofRole: PermissionMap, changes: PermissionMap): PermissionMap =>
  ofRole['*'] ? ofRole : { ...ofRole, ...changes, ...grantableChanges(changes) };

/**
 * The changes of keys that are reserved for administrators, reduced to what may be granted: more may have been stored before
 * the reservation was introduced.
 */
const grantableChanges = (changes: PermissionMap): PermissionMap =>
  Object.fromEntries(
    adminKeys
      .filter((key) => changes[key])
      .map((key) => [
        key,
        (['read', 'operate', 'write'] as const).filter(
          (action) => allows(changes, key, action) && isGrantable(key, action),
        ),
      ]),
  );

/** Permissions that both maps allow. */
export const intersectPermissions = (held: PermissionMap, bounds: PermissionMap): PermissionMap =>
  Object.fromEntries(
    permissionKeys.flatMap((key) => {
      const actionsInBoth = (['read', 'operate', 'write'] as const).filter(
        (action) => allows(held, key, action) && allows(bounds, key, action),
      );
      return actionsInBoth.length > 0 ? [[key, actionsInBoth]] : [];
    }),
  );

/** "An admin check is true when the role contains admin" (specification, section 6). */
export const isAdmin = (role: Role): boolean => role.includes('admin');
