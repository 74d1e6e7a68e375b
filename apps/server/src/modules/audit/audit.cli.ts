import type { Command } from 'commander';
import type pg from 'pg';

export interface AuditContext {
  pool: pg.Pool;
  close: () => Promise<void>;
}

export const auditCommands = (_program: Command, _open: () => Promise<AuditContext>): void => undefined;
