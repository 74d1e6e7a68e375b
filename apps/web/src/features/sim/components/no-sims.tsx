import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../../ui/empty/index.ts';

interface NoSimsProps {
  filtered: boolean;
  /** The pasted list that the address names is not in this tab. */
  missing: boolean;
  onClear: () => void;
}

/** No row: either none match, or there are none at all. */
export const NoSims = ({ filtered, missing, onClear }: NoSimsProps) => {
  const { t } = useTranslation();
  if (missing) {
    return (
      <Empty
        action={<Button onClick={onClear}>{t('sim.list.clearFilters')}</Button>}
        hint={t('simList.list.missingHint')}
        title={t('simList.list.missing')}
      />
    );
  }
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
