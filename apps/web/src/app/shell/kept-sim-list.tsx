import { useMatches } from '@tanstack/react-router';
import { Activity, lazy, Suspense, useState } from 'react';

const SimListScreen = lazy(async () => ({
  default: (await import('../../features/sim/index.ts')).SimListScreen,
}));

/**
 * The SIM list keeps its state when left (specification, section 2): from its first visit on it stays in the
 * tree, hidden by `Activity`, with its effects stopped, while other pages are open.
 */
export const KeptSimList = () => {
  const here = useMatches({ select: (matches) => matches.at(-1)?.fullPath === '/$lang/simCard' });
  const [visited, setVisited] = useState(here);
  if (here && !visited) setVisited(true);
  if (!visited) return null;
  return (
    <Activity mode={here ? 'visible' : 'hidden'}>
      <Suspense fallback={null}>
        <SimListScreen />
      </Suspense>
    </Activity>
  );
};
