import { isPassword } from '../../modules/identity/index.ts';
import { readInstallation, type Sql } from '../../platform/db/index.ts';
import { UnusableSettings } from '../../platform/env/index.ts';
import { demoPassword, demoPeople } from './demo-catalogue.ts';

/** Accounts of the demonstration, among them a superadmin, that have the password that everybody knows. */
export const listPublishedPasswords = async (sql: Sql): Promise<string[]> => {
  if (!(await readInstallation(sql, ['demo'])).has('demo')) return [];
  const open: string[] = [];
  for (const { email } of demoPeople) if (await isPassword(sql, email, demoPassword)) open.push(email);
  return open;
};

/**
 * A database in which the demonstration was made keeps its accounts when it is used for production.
 * @throws UnusableSettings while one of them has its published password
 */
export const refusePublishedPasswords = async (sql: Sql): Promise<void> => {
  const open = await listPublishedPasswords(sql);
  if (open.length === 0) return;
  throw new UnusableSettings(
    `The database contains the demonstration, and everybody knows the passwords of ${open.join(', ')}. Use another ` +
      'data directory or database, which may be empty, or replace these passwords: simcube users reset-password EMAIL. ' +
      'SIMCUBE_DEMO=1 shows the demonstration.',
  );
};
