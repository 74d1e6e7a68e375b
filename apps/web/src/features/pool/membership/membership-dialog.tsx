import type { Pool } from '@simcube/contract/pool';
import type { SimSelection } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderCallbacks, useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { Preview } from '../../../ui/preview/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { SelectByFilter } from './select-by-filter.tsx';
import { SelectByList } from './select-by-list.tsx';
import { type MembershipAction, submitMembership, useMembershipPreview } from './use-membership.ts';

interface MembershipDialogProps extends OrderCallbacks {
  action: MembershipAction;
  pool: Pool;
  /** The SIMs, if already chosen; otherwise the dialog asks. */
  iccids?: readonly string[] | undefined;
}

/** Adds SIMs to a pool or removes them: selection, preview, then the order. */
export const MembershipDialog = (props: MembershipDialogProps) => {
  const { t } = useTranslation();
  const { action, pool, onClose } = props;
  return (
    <Dialog
      onClose={onClose}
      open
      title={t(`pool.membership.${action}.title`, { pool: pool.name })}
      width={560}
    >
      <MembershipForm {...props} />
    </Dialog>
  );
};

const methods = ['list', 'filter'] as const;

const MembershipForm = ({ action, pool, iccids, ...callbacks }: MembershipDialogProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const order = useOrder(callbacks);
  const [method, setMethod] = useState<(typeof methods)[number]>('list');
  const [selection, setSelection] = useState<SimSelection | undefined>(iccids && { iccids: [...iccids] });
  const request = { action, poolId: pool.id, selection };
  const { data: preview, error, refetch } = useMembershipPreview(request);
  const changing = selection ? (preview?.changing ?? 0) : 0;
  return (
    <DialogContent
      actions={
        <Button
          danger={action === 'exit'}
          disabled={changing === 0}
          htmlType="submit"
          loading={order.sending}
          type="primary"
        >
          {changing === 0
            ? t(`pool.membership.${action}.verb`)
            : t(`pool.membership.${action}.action`, { count: changing, shown: count(changing) })}
        </Button>
      }
      onCancel={callbacks.onClose}
      onSubmit={() => {
        if (changing > 0) order.submit(() => submitMembership(request));
      }}
    >
      <DialogText>{t(`pool.membership.${action}.about`, { bundle: pool.bundle.name })}</DialogText>
      {iccids ? null : (
        <>
          <Segmented
            label={t('pool.membership.which')}
            onChange={(next) => {
              setSelection(undefined);
              setMethod(next);
            }}
            options={methods.map((value) => ({ value, label: t(`pool.membership.ways.${value}`) }))}
            value={method}
          />
          {method === 'list' ? (
            <SelectByList disabled={order.sending} onSelection={setSelection} />
          ) : (
            <SelectByFilter bundle={pool.bundle} disabled={order.sending} onSelection={setSelection} />
          )}
        </>
      )}
      {selection ? (
        <Preview
          changing={(values) => t(`pool.membership.${action}.changing`, values)}
          error={error}
          onRetry={() => void refetch()}
          preview={preview}
        />
      ) : null}
      <Refusal reason={order.refusal} />
    </DialogContent>
  );
};
