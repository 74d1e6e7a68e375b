import { type EndpointShape, endpoints, type RequestOf } from '@simcube/contract';
import type { TraceKind } from './ownership-traces.ts';

const {
  sim,
  sms,
  schedule,
  task,
  dashboard,
  bundle,
  diagnose,
  price,
  cdr,
  pool,
  autoflow,
  webhook,
  finance,
} = endpoints;

export type ReadRequest = Partial<RequestOf<EndpointShape>>;
export interface ReadContext {
  /** Code of the organisation that asks. */
  code: string;
  iccid: string;
  orderId: string;
  from: string;
  to: string;
  /** Pools that the SIM is or was in, of any organisation, and their events. */
  pools: string[];
  poolEvents: string[];
  /** Rules that fired on the SIM, of any organisation. */
  rules: string[];
}

/**
 * What a call may show of the periods in which the SIM belonged to the caller's organisation: of each of them,
 * or of the last one only.
 */
interface Visibility {
  request: (context: ReadContext) => ReadRequest | ReadRequest[];
  all?: readonly TraceKind[];
  last?: readonly TraceKind[];
  /**
   * As `all`, also when the SIM belongs to another organisation: records stay with the one that they were
   * counted for.
   */
  kept?: readonly TraceKind[];
}

const query = ({ iccid }: ReadContext): ReadRequest => ({ query: { iccid } });
const params = ({ iccid }: ReadContext): ReadRequest => ({ params: { iccid } });
const body = ({ iccid }: ReadContext): ReadRequest => ({ body: { iccid } });
const iccids = ({ iccid }: ReadContext): ReadRequest => ({ body: { iccids: [iccid] } });
const filter = ({ iccid }: ReadContext): ReadRequest => ({ body: { filter: { iccids: [iccid] } } });
export const dateRange = ({ iccid, from, to }: ReadContext) => ({ iccid, from, to });
const partner = ({ code }: ReadContext) => ({ partnerCode: code });
const eachPool = ({ pools }: ReadContext): ReadRequest[] => pools.map((poolId) => ({ params: { poolId } }));
const eachRule = ({ rules }: ReadContext): ReadRequest[] => rules.map((ruleId) => ({ params: { ruleId } }));
const cdrTraces: readonly TraceKind[] = ['operator', 'apn', 'cell'];
const lastSession: readonly TraceKind[] = ['session', 'apn', 'ip', 'imei', 'cell', 'operator', 'seen'];

/**
 * Every call that returns something about a SIM, and what it shows if the SIM belonged to another organisation
 * before.
 */
export const reads: Record<string, Visibility> = {
  [sim.list.id]: {
    request: ({ iccid }) => ({ body: { search: iccid } }),
    last: ['imei', 'operator', 'ip', 'seen'],
  },
  [sim.exportList.id]: {
    request: ({ iccid }) => ({ body: { selection: { iccids: [iccid] } } }),
    last: ['imei', 'operator', 'ip'],
  },
  [sim.basic.id]: { request: query, last: ['imei'] },
  [sim.connection.id]: { request: query, last: lastSession },
  [sim.connectionStatus.id]: { request: query, last: ['seen'] },
  [bundle.simDetails.id]: { request: query, last: lastSession, all: ['sales', 'bundle'] },
  [sim.usage.id]: { request: (context) => ({ query: dateRange(context) }), all: ['operator', 'bytes'] },
  [sim.usageExport.id]: { request: (context) => ({ body: dateRange(context) }) },
  [sim.events.id]: { request: query, all: ['staff', 'imei'] },
  [sim.statusTrace.id]: { request: query, all: ['staff', 'task', 'imei'] },
  [sim.statusTraceDownload.id]: { request: query, all: ['staff', 'task', 'imei'] },
  [sim.sessions.id]: { request: query, all: lastSession },
  [bundle.listServices.id]: { request: query, all: ['sales', 'bundle'] },
  [bundle.current.id]: { request: query },
  [bundle.listPackages.id]: { request: params, all: ['bundle'] },
  [bundle.detail.id]: {
    request: ({ iccid, orderId }) => ({ params: { iccid, orderId, bundleCode: 'CURRENT' } }),
  },
  [bundle.coverage.id]: { request: params, all: ['bytes'] },
  [bundle.overusePolicy.id]: { request: params },
  [bundle.listOrders.id]: { request: body, all: ['sales', 'bundle'] },
  [bundle.exportOrders.id]: { request: body, all: ['sales', 'bundle'] },
  [bundle.listCycles.id]: { request: body, all: ['cycle'] },
  [bundle.exportCycles.id]: { request: body, all: ['cycle'] },
  [bundle.exportCoverage.id]: { request: (context) => ({ body: dateRange(context) }), all: ['bytes'] },
  [bundle.list.id]: { request: ({ iccid }) => ({ body: { search: iccid } }), all: ['sales', 'bundle'] },
  [bundle.exportList.id]: { request: () => ({ body: { filter: {} } }), all: ['sales', 'bundle'] },
  [diagnose.run.id]: { request: query, all: ['refusals'], last: ['apn', 'imei', 'operator', 'ip'] },
  [diagnose.pdf.id]: { request: query, all: ['refusals'], last: ['apn', 'imei', 'operator', 'ip'] },
  [sim.spec.id]: { request: params },
  [sim.belongOrg.id]: { request: params },
  [price.simCost.id]: { request: query },
  [dashboard.rank.id]: { request: () => ({}) },
  [cdr.list.id]: {
    request: (context) => ({ params: partner(context), body: { identifiers: [context.iccid] } }),
    kept: [...cdrTraces, 'bytes'],
  },
  [cdr.listOfSim.id]: { request: params, kept: [...cdrTraces, 'bytes'] },
  [cdr.sums.id]: {
    request: (context) => ({
      params: partner(context),
      body: { identifiers: [context.iccid], group_by: ['operator'] },
    }),
    kept: ['operator'],
  },
  [cdr.sumsOfSim.id]: {
    request: (context) => ({
      params: { ...partner(context), iccid: context.iccid },
      query: { group_by: 'operator' },
    }),
    kept: ['operator'],
  },
  [cdr.listCells.id]: { request: query, kept: ['cell'] },
  [cdr.exportAll.id]: {
    request: (context) => ({
      params: { ...partner(context), format: 'csv' },
      body: { filter: { identifiers: [context.iccid] } },
    }),
    kept: [...cdrTraces, 'bytes'],
  },
  [pool.activity.id]: { request: eachPool, kept: ['enroller'] },
  [pool.eventDetail.id]: {
    request: ({ poolEvents }) => poolEvents.map((poolEventId) => ({ params: { poolEventId } })),
    kept: ['enroller'],
  },
  [pool.sims.id]: { request: eachPool },
  [pool.simUsageRank.id]: { request: eachPool },
  [sms.list.id]: { request: iccids, kept: ['message'] },
  [sms.listReplies.id]: { request: iccids, kept: ['message'] },
  [sms.listOfSim.id]: { request: query, all: ['message'] },
  [sms.download.id]: { request: filter, kept: ['message'] },
  [sms.reportMt.id]: { request: filter, kept: ['message'] },
  [sms.reportMo.id]: { request: filter, kept: ['message'] },
  [autoflow.listRuns.id]: { request: eachRule, kept: ['measured'] },
  [autoflow.listAllRuns.id]: { request: ({ iccid }) => ({ query: { iccid } }), kept: ['measured'] },
  [autoflow.listSims.id]: { request: eachRule, all: ['seen'] },
  [autoflow.why.id]: {
    request: ({ iccid, rules }) => rules.map((ruleId) => ({ params: { ruleId }, query: { iccid } })),
    all: ['measured'],
  },
  [autoflow.downloadSims.id]: { request: eachRule },
  [webhook.feed.id]: { request: () => ({ query: { limit: '100' } }), kept: ['message'] },
};

/** Calls that name SIMs but return nothing of what happened to them, each with the reason. */
export const callsWithoutHistory: Record<string, string> = {
  [finance.cycle.id]: 'usage that a line of the organisation’s own bill charges, of records that are its own',
  [finance.listPoolMembers.id]:
    'ICCIDs of what the own bill charges of the own pool, which others see nothing of; names of devices while it has the SIMs',
  [finance.listSims.id]:
    'ICCIDs of what the organisation’s own bill charges, which never changes; names of devices while it has the SIMs',
  ...Object.fromEntries(
    [
      bundle.previewActivation,
      bundle.activate,
      bundle.renew,
      bundle.topUp,
      bundle.change,
      sim.suspend,
      sim.resume,
      sim.terminate,
      sim.reset,
      sim.setDeviceName,
      sim.saveNote,
      sim.saveTag,
      sim.transfer,
      ...[sim.parseTransfer, sim.parseInfo],
      ...[sms.send, sms.suspendMt, sms.resumeMt],
      ...[schedule.create, schedule.update],
      ...[autoflow.replay, autoflow.validateScope, autoflow.validateScopeFile, autoflow.validateImeiFile],
    ].map(({ id }) => [id, 'ICCIDs, and for which reason they are refused now']),
  ),
  ...Object.fromEntries(
    [autoflow.tryBody, autoflow.trySend].map(({ id }) => [id, 'the caller’s own SIM, as it is now']),
  ),
  [autoflow.listReplayFirings.id]: 'own records of SIMs that are the organisation’s now',
  [cdr.detail.id]: 'one record, which the test below asks of each time',
  ...Object.fromEntries(
    [pool.enrol, pool.exit].map(({ id }) => [id, 'ICCIDs, and for which reason they are refused now']),
  ),
  [schedule.listSims.id]:
    'ICCIDs as the caller entered them, and messages that the caller’s own schedule sent',
  [schedule.audience.id]:
    'how many SIMs are the caller’s now, and hours of the week in which usage was counted for the caller',
  ...Object.fromEntries(
    [autoflow.create, autoflow.update, autoflow.detail, autoflow.setState].map(({ id }) => [
      id,
      'ICCIDs of a list, from which a SIM falls out when it changes hands',
    ]),
  ),
  [sim.resolveIdentifiers.id]: 'which identifiers are SIMs of the organisation now',
  [diagnose.share.id]: 'an id of the report that sim.diagnose answers',
  [diagnose.listLinks.id]:
    'that links to reports of the organisation exist, by the instants of making and end',
  [diagnose.readShared.id]: 'a report that its organisation shared while it had the SIM',
  [task.listItems.id]: 'what a person ordered, in the organisation in which it was ordered',
};
