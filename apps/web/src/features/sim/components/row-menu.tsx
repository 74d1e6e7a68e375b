import { EllipsisOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';

/** What can be done with one row. */
export const RowMenu = ({ iccid, href }: { iccid: string; href: string }) => {
  const { t } = useTranslation();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(iccid);
      toast.success(t('common.actions.copied'));
    } catch {
      toast.error(t('sim.bulk.copyFailed'));
    }
  };
  return (
    <Dropdown
      menu={{
        items: [
          { key: 'tab', label: t('sim.list.openInTab') },
          { key: 'copy', label: t('kit.copy', { what: t('sim.fields.iccid') }) },
        ],
        onClick: ({ key, domEvent }) => {
          domEvent.stopPropagation();
          if (key === 'tab') window.open(href, '_blank', 'noopener');
          else void copy();
        },
      }}
      placement="bottomRight"
      trigger={['click']}
    >
      <Button
        aria-label={t('sim.list.rowMenu', { iccid })}
        icon={<EllipsisOutlined aria-hidden="true" />}
        size="small"
        type="text"
      />
    </Dropdown>
  );
};
