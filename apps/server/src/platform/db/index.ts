export { readBinary } from './binary-rows.ts';
export * from './columns.ts';
export { type CommitGuard, guardCommits } from './commit-guard.ts';
export { copyRows, type RowWriter } from './copy-rows.ts';
export * from './health.ts';
export { inlined } from './inlined.ts';
export { noteInstallation, readInstallation, writeInstallation } from './installation.ts';
export {
  type Archived,
  archivePartition,
  detachPartitionsBefore,
  listLeavingPartitions,
} from './leaving-partitions.ts';
export { createListener, type Listener, listenerName } from './listen.ts';
export { compareMigrations, listAppliedMigrations, migrate } from './migrate.ts';
export * from './partitions.ts';
export { Pipeline } from './pipeline.ts';
export { askNodesOnce, planOnce } from './plan-once.ts';
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
export { type DatabaseTrouble, isAnswerOfAway, refuseReadOnly, troubleOf } from './trouble.ts';
export { oldestVersion, refuseOldVersion } from './version.ts';
