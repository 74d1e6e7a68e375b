import { endpoints } from '@simcube/contract';
import type { Actor, OrgContext, Principal } from '../../../platform/access/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { fail, fileRoute, type Route, requireOwnCode, route } from '../../../platform/http/index.ts';
import { uploadColumns } from '../columns.rules.ts';
import { orderSimExport } from '../export/export.service.ts';
import { createInfoUploads } from '../info/info.service.ts';
import type { Orderer, Ordering, OrderingOptions } from '../ordering/ordering.service.ts';
import { listTags } from '../tags/tags.views.ts';
import type { Transfer, Transferrer } from '../transfer/transfer.service.ts';
import { uploadTemplate } from '../uploads/uploads.service.ts';
import {
  deviceNameOrder,
  notesOrder,
  resetOrder,
  suspendOrder,
  tagsOrder,
  terminateOrder,
} from './orders.ts';
import { resumeOrder } from './resume.order.ts';

interface OrderingCall {
  org: OrgContext;
  principal: Principal;
  actor: Actor;
  language: Orderer['language'];
}

/** The person who orders, from the call. */
export const ordererOf = ({
  org,
  principal,
  actor,
  language,
}: OrderingCall): Orderer & { org: OrgContext } => ({
  org,
  userId: principal.userId,
  actor,
  language,
});

const transferrerOf = (call: OrderingCall): Transferrer => ({
  ...ordererOf(call),
  sessionBeganAt: call.principal.sessionBeganAt,
});

export interface OperationRoutesOptions extends OrderingOptions {
  db: Db;
  ordering: Ordering;
  transfer: Transfer;
}

const { sim } = endpoints;

export const operationRoutes = (options: OperationRoutesOptions): Route[] => [
  ...lifecycleRoutes(options),
  ...infoRoutes(options),
  ...infoUploadRoutes(options),
  ...transferRoutes(options),
  route(sim.exportList, ({ body, ...call }) =>
    orderSimExport(options, ordererOf(call), { ...body, language: call.language, timeZone: call.timeZone }),
  ),
];

const lifecycleRoutes = ({ ordering, clock }: OperationRoutesOptions): Route[] => [
  route(sim.suspend, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), suspendOrder(body.selection), body),
  ),
  route(sim.resume, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), resumeOrder(body.selection, clock.now()), body),
  ),
  route(sim.terminate, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), terminateOrder(body.selection), body),
  ),
  route(sim.reset, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), resetOrder(body.selection), body),
  ),
];

const infoRoutes = ({ ordering, pool }: OperationRoutesOptions): Route[] => [
  route(sim.setDeviceName, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), deviceNameOrder(body.selection, body.device_name), body),
  ),
  route(sim.saveNote, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), notesOrder(body.selection, body.notes), body),
  ),
  route(sim.saveTag, ({ body, ...call }) =>
    ordering.previewOrAccept(ordererOf(call), tagsOrder(body.selection, body), body),
  ),
  route(sim.listTags, ({ org, body }) => listTags(pool, { orgId: org.id, search: body.search ?? '' })),
];

const infoUploadRoutes = (options: OperationRoutesOptions): Route[] => {
  const uploads = createInfoUploads(options);
  return [
    fileRoute(sim.uploadInfoTemplate, async ({ params, language }) =>
      uploadTemplate('sim-info', uploadColumns, { format: params.format, language }),
    ),
    route(sim.parseInfo, async ({ params, query, file, ...call }) => {
      requireOwnCode(call.org, params.orgCode);
      return uploads.parse(ordererOf(call), { file, ...query });
    }),
    route(sim.updateInfo, async ({ params, body, ...call }) => {
      requireOwnCode(call.org, params.orgCode);
      return uploads.update(ordererOf(call), body.upload_id);
    }),
  ];
};

const transferRoutes = ({ ordering, transfer }: OperationRoutesOptions): Route[] => {
  return [
    fileRoute(sim.transferTemplate, async ({ params, language }) =>
      uploadTemplate('sim-transfer', ['iccid'], { format: params.format, language }),
    ),
    route(sim.parseTransfer, ({ params, query, file, ...call }) =>
      transfer.parse(transferrerOf(call), { file, targetCode: params.targetCode, ...query }),
    ),
    route(sim.transfer, async ({ body, ...call }) => {
      const { target_code: targetCode, selection, upload_id: uploadId } = body;
      const transferrer = transferrerOf(call);
      if (uploadId !== undefined) {
        if (selection) fail('CB-00-0400', { issues: [{ path: 'selection', key: 'notAllowed' }] });
        const order = await transfer.orderFromUpload(transferrer, { targetCode, uploadId });
        return ordering.previewOrAccept(transferrer, order, body);
      }
      if (!selection) return fail('CB-01-0010');
      const order = await transfer.order(transferrer, { targetCode, selection });
      return ordering.previewOrAccept(transferrer, order, body);
    }),
  ];
};
