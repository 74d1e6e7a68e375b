import { endpoints, limits } from '@simcube/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useDebounced } from '../../../lib/debounce/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';
import { Select } from '../../../ui/select/index.ts';

const offered = 10;

/** SIMs by any identifier, name or tag, as the server finds them; with none sought, some. */
export const useSims = (typed: string) => {
  const search = useDebounced(typed.trim(), limits.searchDebounceMs);
  return useAnswer(
    endpointQuery(endpoints.sim.list, {
      body: { page_size: offered, ...(search === '' ? {} : { search }) },
    }),
  );
};

interface SimFieldProps {
  id: string;
  iccid: string | undefined;
  onIccid: (iccid: string) => void;
}

/** Chooses one SIM. */
export const SimField = ({ id, iccid, onIccid }: SimFieldProps) => {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { data, isFetching } = useSims(typed);
  return (
    <Select<string>
      filterOption={false}
      id={id}
      loading={isFetching}
      notFoundContent={isFetching ? null : t('autoflow.tryOut.noSim')}
      onChange={onIccid}
      onSearch={setTyped}
      options={(data?.data ?? []).map((sim) => ({
        value: sim.iccid,
        label: sim.device_name ? `${sim.iccid} · ${sim.device_name}` : sim.iccid,
      }))}
      showSearch
      style={{ width: '100%' }}
      {...(iccid === undefined ? {} : { value: iccid })}
    />
  );
};
