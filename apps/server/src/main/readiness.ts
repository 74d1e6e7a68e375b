import type { DatabaseHealth, DatabaseTrouble } from '../platform/db/index.ts';
import type { NotReady, Readiness } from '../platform/http/index.ts';

/** Whether this process can work, from start to end. */
export interface ProcessReadiness extends Readiness {
  /** Everything is started: from now on readiness depends on the database. */
  started(health: DatabaseHealth): void;
  stopping(): void;
}

export const createReadiness = (): ProcessReadiness => {
  let phase: NotReady | undefined = 'starting';
  let health: DatabaseHealth | undefined;
  const reasonOf = (trouble: DatabaseTrouble | undefined): NotReady | undefined =>
    phase ?? (trouble && `database-${trouble}`);
  return {
    trouble: () => health?.trouble(),
    reason: () => reasonOf(health?.trouble()),
    check: async () => phase ?? reasonOf(await health?.check()),
    started: (databaseHealth) => {
      health = databaseHealth;
      if (phase === 'starting') phase = undefined;
    },
    stopping: () => {
      phase = 'stopping';
    },
  };
};
