import { Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { type At, usePlace } from './use-place.ts';

interface PlaceNameProps {
  at: At;
  /** In its place where nothing is near, as at sea. */
  unknown: string;
}

/** The nearest town and its country, in one line. */
export const PlaceName = ({ at, unknown }: PlaceNameProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = usePlace(at);
  if (data) return data.data.name || unknown;
  if (!error) return <Skeleton.Node active style={{ blockSize: 12, inlineSize: 110 }} />;
  return (
    <span role="alert">
      {`${t('common.states.failed')} `}
      <Button onClick={() => void refetch()} size="small" type="link">
        {t('common.actions.retry')}
      </Button>
    </span>
  );
};
