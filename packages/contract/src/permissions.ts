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

/** `operate`: suspend, resume, reset, send; `write`: manage. `all` includes every other one. */
export const actions = ['all', 'read', 'operate', 'write'] as const;
export type Action = (typeof actions)[number];

/** What a role may do; `'*'` stands for every key. */
export type PermissionMap = Partial<Record<PermissionKey | '*', readonly Action[]>>;

export const permissionsByRole: Record<Role, PermissionMap> = {
  user: { sim: ['read'], cdr: ['read'], 'cube-schedule-sms': ['read'] },
  operator: { sim: ['read', 'operate'], cdr: ['read'], 'cube-schedule-sms': ['read', 'operate'] },
  admin: { '*': ['all'] },
  superadmin: { '*': ['all'] },
};

/** Whether the map allows the action on the key. `'*'` and `all` allow everything below them. */
export const allows = (map: PermissionMap, key: PermissionKey, action: Exclude<Action, 'all'>): boolean =>
  [map['*'], map[key]].some((granted) => granted?.includes('all') || granted?.includes(action));

/**
 * "Only admins may transfer SIMs, may edit SIM info and tags, and may change report preferences" (section 6): who is none is
 * not given it by single rights either. Nor is the management of accounts: who has it could take all others.
 */
const keptForAdmins: readonly PermissionKey[] = ['account', 'sim', 'sim-report-cube'];

/** Whether a single right may be given to an account whose role does not hold everything. */
export const isGrantable = (key: PermissionKey, action: Action): boolean =>
  action === 'read' || (action === 'operate' && key !== 'account') || !keptForAdmins.includes(key);

/**
 * What an account may do: its role's rights, with the rights on single keys that were changed for this account alone, as far as
 * these may be given. Roles that hold everything (`'*'`) can't be changed key by key.
 */
export const effectivePermissions = (role: Role, changes: PermissionMap): PermissionMap =>
  permissionsByRole[role]['*']
    ? permissionsByRole[role]
    : { ...permissionsByRole[role], ...changes, ...keptFrom(changes) };

/** Of the keys that are kept for administrators what may be given: more may have been stored before it was kept. */
const keptFrom = (changes: PermissionMap): PermissionMap =>
  Object.fromEntries(
    keptForAdmins
      .filter((key) => changes[key])
      .map((key) => [
        key,
        (['read', 'operate', 'write'] as const).filter(
          (action) => allows(changes, key, action) && isGrantable(key, action),
        ),
      ]),
  );

/** What both maps allow, key by key. */
export const permissionsWithin = (held: PermissionMap, bounds: PermissionMap): PermissionMap =>
  Object.fromEntries(
    permissionKeys.flatMap((key) => {
      const both = (['read', 'operate', 'write'] as const).filter(
        (action) => allows(held, key, action) && allows(bounds, key, action),
      );
      return both.length > 0 ? [[key, both]] : [];
    }),
  );

/** "An admin check is true when the role contains admin" (specification, section 6). */
export const isAdmin = (role: Role): boolean => role.includes('admin');
