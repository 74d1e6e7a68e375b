import type { DatabaseHealth } from '../platform/db/index.ts';
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
  return {
    trouble: () => health?.trouble(),
    check: async () => {
      if (phase) return phase;
      const trouble = await health?.check();
      return trouble && `database-${trouble}`;
    },
    started: (databaseHealth) => {
      health = databaseHealth;
      if (phase === 'starting') phase = undefined;
    },
    stopping: () => {
      phase = 'stopping';
    },
  };
};
