import { LoadingOutlined } from '@ant-design/icons';
import type { Bill } from '@simcube/contract/finance';
import { fileFormats } from '@simcube/contract/task';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import { downloadBill, pdfOf } from '../api.ts';
import { useFileAction } from '../use-file-action.ts';
import styles from './finance.module.css';

/** The files of a bill, in its row. */
export const BillFiles = ({ bill: { id, number, status } }: { bill: Bill }) => {
  const { t } = useTranslation();
  const { making, make } = useFileAction<'file'>();
  const pdf = pdfOf(id);
  const disabled = making !== undefined;
  return (
    <span className={styles['files']}>
      <ActionMenu
        items={() => [
          {
            key: 'preview',
            label: t('finance.pdf.preview'),
            disabled,
            onClick: () => make('file', pdf.preview),
          },
          {
            key: 'download',
            label: t('finance.pdf.download'),
            disabled: disabled || status === 'draft',
            disabledReason: status === 'draft' ? t('finance.pdf.draft') : undefined,
            onClick: () => make('file', pdf.save),
          },
          ...fileFormats.map((format, index) => ({
            key: format,
            separated: index === 0,
            disabled,
            label: t('finance.pdf.lines', { format: t(`kit.export.${format}`) }),
            onClick: () => make('file', () => downloadBill(id, 'lines')(format)),
          })),
        ]}
        label={t('finance.pdf.files', { number })}
      />
      <span aria-live="polite">
        {disabled ? <LoadingOutlined aria-label={t('finance.pdf.making')} role="img" /> : null}
      </span>
    </span>
  );
};
