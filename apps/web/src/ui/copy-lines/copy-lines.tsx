import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../copy/index.ts';

/** Copies a list to the clipboard, one entry per line. */
export const CopyLines = ({ lines }: { lines: readonly string[] }) => {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Button
      icon={<CopyOutlined aria-hidden="true" />}
      onClick={() => copy(lines.join('\n'))}
      size="small"
      type="text"
    >
      {t('simList.copy')}
    </Button>
  );
};
