import { useTranslation } from 'react-i18next';
import { Preview } from '../../../ui/preview/index.ts';
import type { Operation, OperationPreview } from './operation.ts';
import { ActivationLines, OrderLines } from './order-lines.tsx';

interface PreviewSummaryProps {
  name: Exclude<Operation, 'export' | 'sendSms'> | 'updateInfo';
  preview: OperationPreview | null | undefined;
  /** The value being set is empty. */
  clearedField?: 'deviceName' | 'notes' | undefined;
  error: unknown;
  onRetry: () => void;
}

/** The preview of an operation, with what it orders. */
export const PreviewSummary = ({ name, preview, clearedField, ...state }: PreviewSummaryProps) => {
  const { t } = useTranslation();
  return (
    <Preview
      {...state}
      changing={(values) =>
        t(clearedField ? `operations.cleared.${clearedField}` : `operations.changing.${name}`, values)
      }
      preview={preview}
    >
      {name === 'renew' || name === 'topUp' || name === 'changeBundle' ? (
        <OrderLines lines={preview?.lines ?? []} name={name} />
      ) : null}
      {name === 'activate' ? (
        <ActivationLines changing={preview?.changing ?? 0} lines={preview?.activations ?? []} />
      ) : null}
    </Preview>
  );
};
