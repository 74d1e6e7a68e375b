import type { Owner, Relation } from './table-owners.ts';

export interface Exception {
  table: Relation;
  module: Owner;
  access: 'read' | 'write';
  /** The module's files with the statements: the exception applies only to them. */
  files: readonly string[];
  why: string;
}

/** Statements on tables of a module that their own module may not import, each because the alternatives were worse. */
export const exceptions: readonly Exception[] = [
  {
    table: 'organisations',
    module: 'audit',
    access: 'read',
    files: ['audit.views.ts'],
    why: 'The trail is shown by the codes of organisations, and every module writes to it: it stands below org as well.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['admission/admission.views.ts'],
    why: 'Asked on every call of every person: whether two-factor is on comes with the membership, in one round trip.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['memberships/seats.queries.ts'],
    why: 'The row of a person is the lock under which the number of organisations that the person is in is counted.',
  },
  {
    table: 'users',
    module: 'org',
    access: 'read',
    files: ['tree/org.queries.ts'],
    why: 'The audit trail of a new organisation names the people in it, in the transaction that makes them its members.',
  },
  {
    table: 'invitations',
    module: 'org',
    access: 'read',
    files: ['memberships/seats.queries.ts'],
    why: 'An open invitation takes a seat like an account does: both are counted at one moment, under the lock of the organisation.',
  },
  {
    table: 'tasks',
    module: 'org',
    access: 'read',
    files: ['enterprise/enterprise.queries.ts'],
    why: 'An organisation with running tasks is not deleted: they are looked for under the lock that keeps new ones out.',
  },
  {
    table: 'networks',
    module: 'place',
    access: 'read',
    files: ['cells.queries.ts'],
    why: 'Files of others write the code of a network as a number: how many digits it has is known by the list of networks alone.',
  },
  {
    table: 'bundles',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts', 'list/sim-rows.views.ts', 'list/sim-filter.views.ts', 'export/export.views.ts'],
    why: 'Lists, exports and the overview of SIMs show and filter by the bundle that a SIM has (sims.bundle_id), in the one statement that finds the rows.',
  },
  {
    table: 'bundle_orders',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts'],
    why: 'The overview of a SIM shows the end of the order in use and how many wait, in one statement with the bundle.',
  },
  {
    table: 'radius_sessions',
    module: 'sim',
    access: 'read',
    files: ['sim.views.ts', 'details/details.views.ts'],
    why: 'The page of a SIM shows its sessions and where the last one was; each is an indexed read of one SIM, and aaa has no screens.',
  },
  ...(['pool_members', 'pools'] as const).map(
    (table): Exception => ({
      table,
      module: 'sim',
      access: 'read',
      files: ['pool-limit.views.ts'],
      why: 'Whether a SIM is over its own limit depends on its pool: one expression for orders, intake, imports and screens, which stand below pool.',
    }),
  ),
  {
    table: 'usage_daily',
    module: 'sim',
    access: 'read',
    files: ['list/sim-rows.views.ts', 'own-usage/own-usage.views.ts'],
    why: 'Usage of the last days is a column of the list of SIMs, read for the rows of a page; what a SIM used while it was an organisation’s is put together once, for the modules above.',
  },
  {
    table: 'usage_hourly',
    module: 'sim',
    access: 'read',
    files: ['own-usage/own-usage.views.ts'],
    why: 'What a SIM used while it was an organisation’s is put together once, for the modules above.',
  },
  {
    table: 'usage_handovers',
    module: 'sim',
    access: 'read',
    files: ['own-usage/own-usage.views.ts'],
    why: 'What a SIM used while it was an organisation’s is put together once, for the modules above.',
  },
  {
    table: 'cdrs',
    module: 'bundle',
    access: 'read',
    files: ['orders/live.queries.ts'],
    why: 'An order that begins or ends in the past splits the usage there: only records know when it was, and they are read under the lock of the counter.',
  },
  {
    table: 'unwritten_histories',
    module: 'platform',
    access: 'read',
    files: ['db/unwritten.ts'],
    why: 'Work that relies on records waits until batches in progress have written them; orders do, too, and their module stands below usage.',
  },
];
