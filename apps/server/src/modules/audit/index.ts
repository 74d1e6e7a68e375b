import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { auditRoutes } from './audit.routes.ts';

export { auditCommands } from './audit.cli.ts';
export { changedFields } from './audit.rules.ts';
export { type AuditChange, type NewAuditEntry, operatorActor, recordAudit } from './audit.service.ts';
export { readChanges } from './audit.views.ts';

export const auditModule = (options: { pool: pg.Pool; clock: Clock }) => ({ routes: auditRoutes(options) });
