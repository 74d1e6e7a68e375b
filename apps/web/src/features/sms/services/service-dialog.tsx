import { endpoints, limits } from '@simcube/contract';
import { type SmsService, smsServiceBodySchema } from '@simcube/contract/sms';
import { useQueryClient } from '@tanstack/react-query';
import { Input, Switch } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { call } from '../../../lib/api-client/index.ts';
import { session } from '../../../lib/session/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Select } from '../../../ui/select/index.ts';
import { useForwardTargets, useForwardText } from './use-forward-targets.ts';

interface ServiceDialogProps {
  service: SmsService | undefined;
  /** Shown instead while there is no service; the dialog is closed without either. */
  fallback: ReactNode;
  onClose: () => void;
}

/**
 * The SMS service of an organisation: its parent sets what it may do, the organisation itself sets where messages are forwarded.
 */
export const ServiceDialog = ({ service, fallback, onClose }: ServiceDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      onClose={onClose}
      open={service !== undefined || fallback !== null}
      title={service?.org_name ?? t('sms.services.label')}
      width={520}
    >
      {service ? <Service onClose={onClose} service={service} /> : fallback}
    </Dialog>
  );
};

const Service = ({ service, onClose }: { service: SmsService; onClose: () => void }) => {
  const { key, action } = endpoints.sms.updateService.access;
  if (!session.can(key, action)) return <ServiceDetails service={service} withForwarding />;
  if (service.editable) return <PermissionsForm onClose={onClose} service={service} />;
  return (
    <>
      <ServiceDetails service={service} withForwarding={false} />
      <ForwardingForm onClose={onClose} service={service} />
    </>
  );
};

const ServiceDetails = ({ service, withForwarding }: { service: SmsService; withForwarding: boolean }) => {
  const { t } = useTranslation();
  const forwardText = useForwardText();
  const { can_send: maySend, can_receive: mayReceive, sender, forward_to: forwardTo } = service;
  const allowedText = (may: boolean) => t(`sms.services.${may ? 'allowed' : 'refused'}`);
  const forwarding = {
    term: t('sms.services.forwardTo'),
    value: forwardText(forwardTo),
  };
  return (
    <DescriptionList
      items={[
        { term: t('sms.services.sending'), value: allowedText(maySend) },
        { term: t('sms.services.receiving'), value: allowedText(mayReceive) },
        { term: t('sms.services.sender'), value: sender ?? t('sms.services.senderOfConnection') },
        ...(withForwarding && forwardTo !== null ? [forwarding] : []),
      ]}
    />
  );
};

/** Changes a service and reports success. */
const useSaveService = (service: SmsService) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { listServices, updateService } = endpoints.sms;
  return async (body: z.output<typeof smsServiceBodySchema>): Promise<void> => {
    try {
      await call(updateService, { params: { orgCode: service.org_code }, body, announce: false });
    } finally {
      // Even if it failed: the organisation may have been moved or deleted in the meantime.
      void queries.invalidateQueries({ queryKey: [listServices.id] });
    }
    toast.success(t('sms.services.saved', { name: service.org_name }));
  };
};

const permissionsSchema = z.object({
  can_send: z.boolean(),
  can_receive: z.boolean(),
  // If empty, the connection's sender is used.
  sender: z.union([z.literal(''), smsServiceBodySchema.shape.sender.unwrap().unwrap()]),
});

const PermissionsForm = ({ service, onClose }: { service: SmsService; onClose: () => void }) => {
  const { t } = useTranslation();
  const save = useSaveService(service);
  const { can_send, can_receive, sender } = service;
  return (
    <Form
      action={t('sms.services.save')}
      initial={{ can_send, can_receive, sender: sender ?? '' }}
      onCancel={onClose}
      onDone={onClose}
      onSubmit={(values) => save({ ...values, sender: values.sender || null })}
      schema={permissionsSchema}
    >
      <FormField label={t('sms.services.maySend')} name="can_send">
        <Switch size="small" />
      </FormField>
      <FormField label={t('sms.services.mayReceive')} name="can_receive">
        <Switch size="small" />
      </FormField>
      <FormField hint={t('sms.services.senderHint')} label={t('sms.services.sender')} name="sender">
        <Input autoComplete="off" />
      </FormField>
    </Form>
  );
};

const forwardingSchema = smsServiceBodySchema.pick({ forward_to: true }).required();

const ForwardingForm = ({ service, onClose }: { service: SmsService; onClose: () => void }) => {
  const { t } = useTranslation();
  const save = useSaveService(service);
  const { targets, error, retry } = useForwardTargets();
  if (!targets) return error ? <Failure error={error} onRetry={retry} small /> : <Loading rows={2} />;
  // Targets that were removed are left out.
  const existingTargets = (service.forward_to ?? []).filter((id) =>
    targets.some((target) => target.id === id),
  );
  return (
    <Form
      action={t('sms.services.save')}
      initial={{ forward_to: existingTargets }}
      onCancel={onClose}
      onDone={onClose}
      onSubmit={save}
      schema={forwardingSchema}
    >
      <FormField hint={t('sms.services.forwardHint')} label={t('sms.services.forwardTo')} name="forward_to">
        <Select
          maxCount={limits.sms.forwardTargets}
          mode="multiple"
          optionFilterProp="label"
          options={targets.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder={t('sms.services.nowhere')}
        />
      </FormField>
    </Form>
  );
};
