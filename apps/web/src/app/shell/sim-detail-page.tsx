import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { SimDetailScreen, type SimDetailScreenProps } from '../../features/sim/index.ts';

const path = '/$lang/shell/simCard/$iccid';

/** Hands the route's parts to the screen; another SIM is another screen, with nothing left of the one before. */
export const SimDetailPage = () => {
  const { iccid } = useParams({ from: path });
  const search = useSearch({ from: path });
  const navigate = useNavigate();
  const change: SimDetailScreenProps['onSearchChange'] = (next, how = 'push') =>
    void navigate({
      from: '/$lang/simCard/$iccid',
      to: '/$lang/simCard/$iccid',
      search: next,
      replace: how === 'replace',
    });
  return <SimDetailScreen key={iccid} iccid={iccid} search={search} onSearchChange={change} />;
};
