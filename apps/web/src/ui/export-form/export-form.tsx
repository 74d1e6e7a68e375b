import { DownloadOutlined } from '@ant-design/icons';
import { type FileFormat, fileFormats } from '@simcube/contract/task';
import { Button, Radio } from 'antd';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../lib/orders/index.ts';
import { Refusal } from '../failure/index.ts';
import { Popover } from '../popover/index.ts';
import { Segmented } from '../segmented/index.ts';
import styles from './export-form.module.css';

interface ExportPopoverProps {
  title: string;
  disabled?: boolean;
  /** The form, given a function that closes it. */
  children: (onClose: () => void) => ReactElement;
}

/** An "Export" button that opens a form with options for the file. */
export const ExportPopover = ({ title, disabled = false, children }: ExportPopoverProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      content={children(() => setOpen(false))}
      label={title}
      onOpen={setOpen}
      open={open}
      placement="bottomRight"
    >
      <Button disabled={disabled} icon={<DownloadOutlined aria-hidden="true" />}>
        {t('kit.export.label')}
      </Button>
    </Popover>
  );
};

interface ExportFormProps<What extends string> {
  title: string;
  content: {
    label: string;
    options: readonly { value: What; label: string }[];
    value: What;
    onChange: (content: What) => void;
  };
  /** Further options as `ExportLine`s, then their effect. */
  children: ReactNode;
  order: Pick<Order, 'sending' | 'refusal'>;
  disabled?: boolean;
  onExport: (format: FileFormat) => void;
  onClose: () => void;
}

/** The content and format of a file; a refusal is shown in the form. */
export const ExportForm = <What extends string>({
  title,
  content,
  children,
  order: { sending, refusal },
  disabled = false,
  onExport,
  onClose,
}: ExportFormProps<What>) => {
  const { t } = useTranslation();
  const [format, setFormat] = useState<FileFormat>('csv');
  return (
    <div className={styles['form']}>
      <h2 className={styles['title']}>{title}</h2>
      <Radio.Group
        aria-label={content.label}
        className={styles['rows'] ?? ''}
        onChange={({ target }) => content.onChange(target.value as What)}
        options={[...content.options]}
        value={content.value}
      />
      <ExportLine label={t('kit.export.format')}>
        <Segmented
          label={t('kit.export.format')}
          onChange={setFormat}
          options={fileFormats.map((value) => ({ value, label: value.toUpperCase() }))}
          small
          value={format}
        />
      </ExportLine>
      {children}
      <Refusal reason={refusal} />
      <footer className={styles['footer']}>
        <Button onClick={onClose}>{t('common.actions.cancel')}</Button>
        <Button disabled={disabled} loading={sending} onClick={() => onExport(format)} type="primary">
          {t('kit.export.label')}
        </Button>
      </footer>
    </div>
  );
};

/** An option with its label. */
export const ExportLine = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles['line']}>
    <span>{label}</span>
    {children}
  </div>
);
