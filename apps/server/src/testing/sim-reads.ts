import { type EndpointShape, endpoints, type RequestOf } from '@simcube/contract';
import type { MarkKind } from './handed-over.ts';

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

export type Ask = Partial<RequestOf<EndpointShape>>;
export interface Asked {
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
interface Shown {
  ask: (asked: Asked) => Ask | Ask[];
  all?: readonly MarkKind[];
  last?: readonly MarkKind[];
  /**
   * As `all`, also when the SIM belongs to another organisation: records stay with the one that they were
   * counted for.
   */
  kept?: readonly MarkKind[];
}

const query = ({ iccid }: Asked): Ask => ({ query: { iccid } });
const params = ({ iccid }: Asked): Ask => ({ params: { iccid } });
const body = ({ iccid }: Asked): Ask => ({ body: { iccid } });
const iccids = ({ iccid }: Asked): Ask => ({ body: { iccids: [iccid] } });
const filter = ({ iccid }: Asked): Ask => ({ body: { filter: { iccids: [iccid] } } });
export const days = ({ iccid, from, to }: Asked) => ({ iccid, from, to });
const partner = ({ code }: Asked) => ({ partnerCode: code });
const eachPool = ({ pools }: Asked): Ask[] => pools.map((poolId) => ({ params: { poolId } }));
const eachRule = ({ rules }: Asked): Ask[] => rules.map((ruleId) => ({ params: { ruleId } }));
const recorded: readonly MarkKind[] = ['operator', 'apn', 'cell'];
const lastSession: readonly MarkKind[] = ['session', 'apn', 'ip', 'imei', 'cell', 'operator', 'seen'];

/**
 * Every call that returns something about a SIM, and what it shows if the SIM belonged to another organisation
 * before.
 */
export const reads: Record<string, Shown> = {
  [sim.list.id]: {
    ask: ({ iccid }) => ({ body: { search: iccid } }),
    last: ['imei', 'operator', 'ip', 'seen'],
  },
  [sim.exportList.id]: {
    ask: ({ iccid }) => ({ body: { selection: { iccids: [iccid] } } }),
    last: ['imei', 'operator', 'ip'],
  },
  [sim.basic.id]: { ask: query, last: ['imei'] },
  [sim.connection.id]: { ask: query, last: lastSession },
  [sim.connectionStatus.id]: { ask: query, last: ['seen'] },
  [bundle.simDetails.id]: { ask: query, last: lastSession, all: ['sales', 'bundle'] },
  [sim.usage.id]: { ask: (asked) => ({ query: days(asked) }), all: ['operator', 'bytes'] },
  [sim.usageExport.id]: { ask: (asked) => ({ body: days(asked) }) },
  [sim.events.id]: { ask: query, all: ['staff', 'imei'] },
  [sim.statusTrace.id]: { ask: query, all: ['staff', 'task', 'imei'] },
  [sim.statusTraceDownload.id]: { ask: query, all: ['staff', 'task', 'imei'] },
  [sim.sessions.id]: { ask: query, all: lastSession },
  [bundle.listServices.id]: { ask: query, all: ['sales', 'bundle'] },
  [bundle.current.id]: { ask: query },
  [bundle.listPackages.id]: { ask: params, all: ['bundle'] },
  [bundle.detail.id]: {
    ask: ({ iccid, orderId }) => ({ params: { iccid, orderId, bundleCode: 'CURRENT' } }),
  },
  [bundle.coverage.id]: { ask: params, all: ['bytes'] },
  [bundle.overusePolicy.id]: { ask: params },
  [bundle.listOrders.id]: { ask: body, all: ['sales', 'bundle'] },
  [bundle.exportOrders.id]: { ask: body, all: ['sales', 'bundle'] },
  [bundle.listCycles.id]: { ask: body, all: ['cycle'] },
  [bundle.exportCycles.id]: { ask: body, all: ['cycle'] },
  [bundle.exportCoverage.id]: { ask: (asked) => ({ body: days(asked) }), all: ['bytes'] },
  [bundle.list.id]: { ask: ({ iccid }) => ({ body: { search: iccid } }), all: ['sales', 'bundle'] },
  [bundle.exportList.id]: { ask: () => ({ body: { filter: {} } }), all: ['sales', 'bundle'] },
  [diagnose.run.id]: { ask: query, all: ['refusals'], last: ['apn', 'imei', 'operator', 'ip'] },
  [diagnose.pdf.id]: { ask: query, all: ['refusals'], last: ['apn', 'imei', 'operator', 'ip'] },
  [sim.spec.id]: { ask: params },
  [sim.belongOrg.id]: { ask: params },
  [price.simCost.id]: { ask: query },
  [dashboard.rank.id]: { ask: () => ({}) },
  [cdr.list.id]: {
    ask: (asked) => ({ params: partner(asked), body: { identifiers: [asked.iccid] } }),
    kept: [...recorded, 'bytes'],
  },
  [cdr.listOfSim.id]: { ask: params, kept: [...recorded, 'bytes'] },
  [cdr.sums.id]: {
    ask: (asked) => ({
      params: partner(asked),
      body: { identifiers: [asked.iccid], group_by: ['operator'] },
    }),
    kept: ['operator'],
  },
  [cdr.sumsOfSim.id]: {
    ask: (asked) => ({
      params: { ...partner(asked), iccid: asked.iccid },
      query: { group_by: 'operator' },
    }),
    kept: ['operator'],
  },
  [cdr.listCells.id]: { ask: query, kept: ['cell'] },
  [cdr.exportAll.id]: {
    ask: (asked) => ({
      params: { ...partner(asked), format: 'csv' },
      body: { filter: { identifiers: [asked.iccid] } },
    }),
    kept: [...recorded, 'bytes'],
  },
  [pool.activity.id]: { ask: eachPool, kept: ['enroller'] },
  [pool.eventDetail.id]: {
    ask: ({ poolEvents }) => poolEvents.map((poolEventId) => ({ params: { poolEventId } })),
    kept: ['enroller'],
  },
  [pool.sims.id]: { ask: eachPool },
  [pool.simUsageRank.id]: { ask: eachPool },
  [sms.list.id]: { ask: iccids, kept: ['message'] },
  [sms.listReplies.id]: { ask: iccids, kept: ['message'] },
  [sms.listOfSim.id]: { ask: query, all: ['message'] },
  [sms.download.id]: { ask: filter, kept: ['message'] },
  [sms.reportMt.id]: { ask: filter, kept: ['message'] },
  [sms.reportMo.id]: { ask: filter, kept: ['message'] },
  [autoflow.listRuns.id]: { ask: eachRule, kept: ['measured'] },
  [autoflow.listAllRuns.id]: { ask: ({ iccid }) => ({ query: { iccid } }), kept: ['measured'] },
  [autoflow.listSims.id]: { ask: eachRule, all: ['seen'] },
  [autoflow.why.id]: {
    ask: ({ iccid, rules }) => rules.map((ruleId) => ({ params: { ruleId }, query: { iccid } })),
    all: ['measured'],
  },
  [autoflow.downloadSims.id]: { ask: eachRule },
  [webhook.feed.id]: { ask: () => ({ query: { limit: '100' } }), kept: ['message'] },
};

/** Calls that name SIMs but return nothing of what happened to them, each with the reason. */
export const others: Record<string, string> = {
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
