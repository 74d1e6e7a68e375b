/**
 * Versions up to the one with this migration were stopped before an upgrade. Since then two versions run side
 * by side during an upgrade: a migration only adds (expand), and what is no longer used is removed by a later
 * version (contract).
 */
export const lastBeforeRolling = '0211';

/**
 * Migrations that remove something, or demand of rows what the previous version did not: each says why the
 * previous version still works, which is the case once a version that no longer used it has been released.
 */
export const contractMigrations: Readonly<Record<string, string>> = {
  '0480_watches_of_deleted_organisations.sql':
    'asks the same of rows as before; the version before deletes organisations as well',
};
