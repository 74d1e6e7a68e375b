import { useNavigate } from '@tanstack/react-router';
import { Activity, lazy, Suspense } from 'react';
import type { ServiceScreenProps } from '../../features/service/index.ts';
import { serviceSearchSchema } from '../../features/service/search.ts';
import { useKeptSearch } from './use-kept-search.ts';

const ServiceScreen = lazy(async () => ({
  default: (await import('../../features/service/index.ts')).ServiceScreen,
}));

/** The bundle orders of all SIMs, kept like the SIM list. */
export const KeptServiceList = () => {
  const { here, search } = useKeptSearch({ area: 'service', read: serviceSearchSchema.parse });
  const navigate = useNavigate();
  if (search === null) return null;
  const change: ServiceScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/service',
      to: '/$lang/service',
      search: next,
      replace: how === 'replace',
    });
  return (
    <Activity mode={here ? 'visible' : 'hidden'}>
      <Suspense fallback={null}>
        <ServiceScreen search={search} onSearchChange={change} />
      </Suspense>
    </Activity>
  );
};
