import { endpoints } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Select, useServerSearch } from '../../../ui/select/index.ts';

const offered = 10;

/** SIMs by any identifier, name or tag, as found by the server; some SIMs if the search is empty. */
export const useSims = (search: string) =>
  useApiQuery(
    endpointQuery(endpoints.sim.list, {
      body: { page_size: offered, ...(search === '' ? {} : { search }) },
    }),
  );

interface SimFieldProps {
  id: string;
  iccid: string | undefined;
  onIccid: (iccid: string) => void;
}

/** Chooses one SIM. */
export const SimField = ({ id, iccid, onIccid }: SimFieldProps) => {
  const { t } = useTranslation();
  const { search, showSearch } = useServerSearch(60);
  const { data, isFetching } = useSims(search);
  return (
    <Select<string>
      id={id}
      loading={isFetching}
      notFoundContent={isFetching ? null : t('autoflow.tryOut.noSim')}
      onChange={onIccid}
      options={(data?.data ?? []).map((sim) => ({
        value: sim.iccid,
        label: sim.device_name ? `${sim.iccid} · ${sim.device_name}` : sim.iccid,
      }))}
      showSearch={showSearch}
      style={{ width: '100%' }}
      {...(iccid === undefined ? {} : { value: iccid })}
    />
  );
};
