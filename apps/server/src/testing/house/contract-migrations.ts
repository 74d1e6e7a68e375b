/**
 * Versions up to the one with this migration were stopped before an upgrade. Since then two versions work side by side while
 * an installation is upgraded: a migration adds (expand), and what is no longer used goes with a later version (contract).
 */
export const lastBeforeRolling = '0211';

/**
 * Migrations that take something away, or ask of rows what the version before did not: each says why the version before
 * works on all the same, which is so once a version that no longer used it has been released.
 */
export const contractMigrations: Readonly<Record<string, string>> = {
  '0480_watches_of_deleted_organisations.sql':
    'asks the same of rows as before; the version before deletes organisations as well',
};
