export { readBinary } from './binary-rows.ts';
export * from './columns.ts';
export { type CommitGuard, guardCommits } from './commit-guard.ts';
export { copyRows, type RowWriter } from './copy-rows.ts';
export {
  type ArchivedPartition,
  archivePartition,
  detachPartitionsBefore,
  listDetachedPartitions,
} from './detached-partitions.ts';
export * from './health.ts';
export { inlineParameters } from './inline-parameters.ts';
export { readInstallation, writeInstallation, writeInstallationOnce } from './installation.ts';
export { createListener, type Listener, listenerName } from './listen.ts';
export { compareMigrations, hasAnyTable, listAppliedMigrations, migrate } from './migrate.ts';
export * from './partitions.ts';
export { Pipeline } from './pipeline.ts';
export { limitNodeConnections, planOnce } from './plan-once.ts';
export {
  type ConnectOptions,
  connect,
  type Database,
  type Db,
  inRepeatableTransaction,
  inSnapshot,
  inTransaction,
  openSnapshot,
  type Snapshot,
  type Sql,
  type Statement,
  safeTypes,
  typed,
  typedWithin,
} from './pool.ts';
export { renderTypes } from './render-types.ts';
export type { DB } from './schema.gen.ts';
export { readShards, type Shards } from './shards.ts';
export { sqlStateOf, uniqueKeyOf } from './sql-state.ts';
export {
  type DatabaseTrouble,
  HistoriesUnwritten,
  isUnavailableError,
  refuseReadOnly,
  troubleOf,
} from './trouble.ts';
export { haveUnwritten, waitUntilWritten, waitWhileUnwritten } from './unwritten.ts';
export { minimumVersion, requireSupportedVersion } from './version.ts';
