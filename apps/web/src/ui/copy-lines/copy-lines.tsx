import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { toast } from '../../lib/toast/index.ts';

/** Copies a list to the clipboard, one entry per line. */
export const CopyLines = ({ lines }: { lines: readonly string[] }) => {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(lines.join('\n'));
      toast.success(t('common.actions.copied'));
    } catch {
      toast.error(t('sim.bulk.copyFailed'));
    }
  };
  return (
    <Button icon={<CopyOutlined aria-hidden="true" />} onClick={() => void copy()} size="small" type="text">
      {t('simList.copy')}
    </Button>
  );
};
