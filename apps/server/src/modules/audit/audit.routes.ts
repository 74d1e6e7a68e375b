import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Route } from '../../platform/http/index.ts';

export const auditRoutes = (_: { pool: pg.Pool; clock: Clock }): Route[] => [];
