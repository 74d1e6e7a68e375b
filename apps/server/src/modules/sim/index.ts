import type pg from 'pg';
import { detailRoutes } from './details/details.routes.ts';
import { exportWork } from './export/export.work.ts';
import { identifierRoutes } from './identifiers/identifiers.routes.ts';
import {
  deviceNameOperation,
  notesOperation,
  tagsOperation,
  updateInfoOperation,
} from './info/info.operations.ts';
import {
  dataOffOperation,
  type HoldOptions,
  resumeOperation,
  slowDownOperation,
} from './operations/hold.operations.ts';
import { resetOperation, suspendOperation, terminateOperation } from './operations/lifecycle.operations.ts';
import { operationRoutes } from './operations/operations.routes.ts';
import { undoOperation } from './operations/undo.operation.ts';
import { createOrdering, type OrderingOptions } from './ordering/ordering.service.ts';
import { savedViewRoutes } from './saved-views/saved-views.routes.ts';
import { inventoryCommands } from './sim.cli.ts';
import { type SimRoutesOptions, simRoutes } from './sim.routes.ts';
import { type TransferOperationOptions, transferOperation } from './transfer/transfer.operation.ts';
import { type AdminOrganisation, createTransfer } from './transfer/transfer.service.ts';
import { uploadJobs } from './uploads/uploads.jobs.ts';

export { columnPositions, repeatedColumns } from './columns.rules.ts';
export { allRows } from './details/details.files.ts';
export { findLocation } from './details/details.views.ts';
export {
  countriesOfNetworks,
  findNthSessions,
  findStartTasks,
  listPastChanges,
  listSessionStarts,
  type NthSessionQuery,
  nthSessionColumns,
  type PastChange,
} from './events/past-events.views.ts';
export {
  type EventCause,
  type NewSimEvent,
  recordSimEvents,
  type SimEventContent,
  simEvent,
} from './events/sim-events.queries.ts';
export { supportedTimeZone } from './export/export.views.ts';
export { backdateSims } from './import/sim-import.queries.ts';
export { type ImportReport, importSims, type Refusal } from './import/sim-import.service.ts';
export { isBundleNamed } from './list/sim-condition.views.ts';
export { findTagsLike } from './list/sim-filter.views.ts';
export { type FieldSearch, fieldPattern, wholeIdentifier } from './list/sim-search.rules.ts';
export { matchesShortText, matchesWords } from './list/sim-short-texts.views.ts';
export { networkCode } from './networks/network-code.views.ts';
export { syncNetworks } from './networks/networks.queries.ts';
export { iccidLines } from './operations/iccid-lines.rules.ts';
export { ordererOf } from './operations/operations.routes.ts';
export type { Inspection, Orderer, Ordering, SimOrder } from './ordering/ordering.service.ts';
export { digestOfSims } from './ordering/preview-digest.ts';
export { messageRecipients, simItems } from './ordering/sim-items.ts';
export {
  dataOffRule,
  type OperationRule,
  refuseEnded,
  type SimFacts,
  slowDownRule,
  suspendRule,
  tagsRule,
} from './ordering/sim-operation.rules.ts';
export { cycleParameter, eventCauseOf, lockAllowedSims } from './ordering/work.service.ts';
export {
  ownDays,
  ownedAt,
  ownedDays,
  ownedHours,
  ownerships,
  ownershipsSince,
  ownHours,
} from './own-usage/own-usage.views.ts';
export { usesPoolLimit } from './pool-limit.views.ts';
export { radioName, radioNames } from './radio-names.ts';
export { handOverViews } from './saved-views/saved-views.service.ts';
export {
  simDataHeld,
  simImported,
  simLifecycleChanged,
  simReset,
  simTransferred,
  simUpdated,
} from './sim.events.ts';
export type { ChangedSim } from './sim.queries.ts';
export {
  caseVariants,
  connectionNumbers,
  connectionOf,
  inEitherCase,
  lifecycleOf,
  type Network,
  type NetworkColumns,
  networkOf,
  normaliseIdentifier,
  spellingsOf,
} from './sim.rules.ts';
export { changeLifecycle, type LifecycleChange, reportSimEvents } from './sim.service.ts';
export {
  amountOf,
  decimalOf,
  type FindCosts,
  type FindOverdue,
  getBasic,
  getConnection,
  type UsageViews,
  withSimCosts,
} from './sim.views.ts';
export {
  type DataStateNumber,
  dataState,
  dataStateOf,
  rateOf,
  type StoredData,
  stopOf,
} from './sim-data.rules.ts';
export { findData } from './sim-data.views.ts';
export { findSim, type OwnSim, orgSims, scopedTo, whileOwned } from './sim-scope.views.ts';
export { simsBy } from './sims-by.rules.ts';
export type { OnTransfer } from './transfer/transfer.operation.ts';
export type { LastSeen } from './transfer/transfer.queries.ts';
export { createIccidReader, isBlankOrNote, rowNumber } from './uploads/iccid-file.rules.ts';
export type { RowFault } from './uploads/row-faults.rules.ts';
export { consumeUpload, findUpload } from './uploads/uploads.queries.ts';
export { readHeadedTable, storeUpload, uploadTemplate } from './uploads/uploads.service.ts';

export interface SimOptions
  extends Omit<SimRoutesOptions, 'pool'>,
    OrderingOptions,
    TransferOperationOptions,
    HoldOptions {
  pool: pg.Pool;
  adminOrganisation: AdminOrganisation;
}

export const simModule = (options: SimOptions) => {
  const ordering = createOrdering(options);
  const transfer = createTransfer({ ...options, ordering });
  return {
    routes: [
      ...simRoutes(options),
      ...detailRoutes(options),
      ...identifierRoutes(options),
      ...savedViewRoutes(options),
      ...operationRoutes({ ...options, ordering, transfer }),
    ],
    jobs: uploadJobs(options),
    operations: [
      suspendOperation,
      resumeOperation,
      dataOffOperation(options),
      slowDownOperation(options),
      terminateOperation,
      resetOperation,
      deviceNameOperation,
      notesOperation,
      tagsOperation,
      updateInfoOperation,
      transferOperation(options),
      undoOperation,
    ],
    fileWorks: [exportWork(options)],
    /** Selection, preview and acceptance, for operations of higher modules. */
    ordering,
    /** Also ordered by the command line. */
    transfer,
  };
};

export { inventoryCommands as simCommands };
