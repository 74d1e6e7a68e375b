import type { Pool } from '@simcube/contract/pool';
import type { SimSelection } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type Order, useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { Preview } from '../../../ui/preview/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { useLeave } from '../../../ui/unsaved/index.ts';
import { SelectByFilter } from './select-by-filter.tsx';
import { SelectByList } from './select-by-list.tsx';
import { type MembershipAction, submitMembership, useMembershipPreview } from './use-membership.ts';

interface MembershipDialogProps {
  action: MembershipAction;
  pool: Pool;
  /** The SIMs, if already chosen; otherwise the dialog asks. */
  iccids?: readonly string[] | undefined;
  onAccepted?: () => void;
  onClose: () => void;
}

/** Adds SIMs to a pool or removes them: selection, preview, then the order. */
export const MembershipDialog = ({ action, pool, iccids, onAccepted, onClose }: MembershipDialogProps) => {
  const { t } = useTranslation();
  const order = useOrder({ onAccepted, onClose });
  return (
    <Dialog
      persistent={order.sending}
      onClose={onClose}
      open
      title={t(`pool.membership.${action}.title`, { pool: pool.name })}
      width={560}
    >
      <MembershipForm iccids={iccids} action={action} onCancel={onClose} order={order} pool={pool} />
    </Dialog>
  );
};

interface MembershipFormProps extends Pick<MembershipDialogProps, 'action' | 'pool' | 'iccids'> {
  order: Order;
  onCancel: () => void;
}

const methods = ['list', 'filter'] as const;

const MembershipForm = ({ action, pool, iccids, order, onCancel }: MembershipFormProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const leave = useLeave();
  const [method, setMethod] = useState<(typeof methods)[number]>('list');
  const [selection, setSelection] = useState<SimSelection | undefined>(iccids && { iccids: [...iccids] });
  const request = { action, poolId: pool.id, selection };
  const { data: preview, error, refetch } = useMembershipPreview(request);
  const changing = selection ? (preview?.changing ?? 0) : 0;
  return (
    <DialogContent
      actions={
        <>
          <Button onClick={() => leave(onCancel)}>{t('common.actions.cancel')}</Button>
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
        </>
      }
      onSubmit={() => {
        if (changing > 0 && !order.sending) order.submit(() => submitMembership(request));
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
