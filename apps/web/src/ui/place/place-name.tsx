import { Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { type At, usePlace } from './use-place.ts';

/** The nearest town and its country, on one line; none at sea. */
export const PlaceName = ({ at }: { at: At }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = usePlace(at);
  if (data) return data.data.name || t('common.states.nothingNear');
  if (!error) {
    return (
      <span aria-busy="true">
        <Skeleton.Node active style={{ blockSize: 12, inlineSize: 110 }} />
      </span>
    );
  }
  return (
    <span role="alert">
      {`${t('common.states.failed')} `}
      <Button onClick={() => void refetch()} size="small" type="link">
        {t('common.actions.retry')}
      </Button>
    </span>
  );
};
