import { session, useSession } from '../session/index.ts';

export type Density = 'comfortable' | 'compact';
export const densities = ['comfortable', 'compact'] as const satisfies readonly Density[];

/** Row height of all tables, stored in this browser. */
export const useDensity = (): Density => useSession('density') ?? 'comfortable';

export const setDensity = (choice: Density): void => {
  session.set('density', choice);
};
