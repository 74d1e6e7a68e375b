import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../ui/empty/index.ts';

/** No row: either none match, or there are none at all. */
export const NoSims = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) => {
  const { t } = useTranslation();
  return filtered ? (
    <Empty
      action={<Button onClick={onClear}>{t('sim.list.clearFilters')}</Button>}
      hint={t('sim.list.noMatchHint')}
      title={t('sim.list.noMatch')}
    />
  ) : (
    <Empty hint={t('sim.list.emptyHint')} title={t('sim.list.empty')} />
  );
};
