import { DownloadOutlined } from '@ant-design/icons';
import { type FileFormat, fileFormats } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../lib/api-client/index.ts';
import { Menu } from '../menu/index.ts';

export interface ExportMenuProps {
  /** What is exported, for screen readers. */
  subject: string;
  /** Resolves when the file is available or the task was accepted. The API client has already shown failures. */
  onExport: (format: FileFormat) => Promise<void>;
  /** The button's text. */
  label?: string;
  small?: boolean;
  disabled?: boolean;
}

/** An "Export" menu with the file formats; inactive while an export is running. */
export const ExportMenu = ({
  subject,
  onExport,
  label,
  small = false,
  disabled = false,
}: ExportMenuProps) => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async (format: FileFormat): Promise<void> => {
    setBusy(true);
    await attempt(() => onExport(format));
    setBusy(false);
  };
  const word = label ?? t('kit.export.label');
  return (
    <Menu
      disabled={disabled || busy}
      items={fileFormats.map((format) => ({
        key: format,
        label: t(`kit.export.${format}`),
        onClick: () => {
          void run(format);
        },
      }))}
      placement="bottomRight"
    >
      <Button
        aria-label={t('kit.marks.named', { name: word, value: subject })}
        disabled={disabled}
        icon={<DownloadOutlined aria-hidden="true" />}
        loading={busy}
        size={small ? 'small' : 'middle'}
      >
        {word}
      </Button>
    </Menu>
  );
};
