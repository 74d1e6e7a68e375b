import { Readable } from 'node:stream';
import { endpoints } from '@simcube/contract';
import { type ReportKind, reportKinds } from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import type pg from 'pg';
import type { OrgContext } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { contentTypes, maxArchiveBytes, zipArchive } from '../../platform/files/index.ts';
import { fail, fileRoute, page, type Route, requireOwnCode, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { createPreferences, maySeeBills } from './preferences/preferences.service.ts';
import { findFiles, findReports, partsOf, reportList, type StoredFile } from './reports.views.ts';

const { report: calls } = endpoints;

export interface ReportRouteOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

export const reportRoutes = ({ pool, db, clock }: ReportRouteOptions): Route[] => {
  const preferences = createPreferences({ pool, clock });
  return [
    route(calls.hasConfig, async ({ params, ...caller }) => {
      requireOwnCode(caller.org, params.orgCode);
      return (await preferences.read(caller)).kinds.length > 0;
    }),
    route(calls.list, async ({ org, params, body: { preview, ...filter } }) => {
      requireOwnCode(org, params.orgCode);
      const now = clock.now();
      const scope = { orgId: org.id, withCost: maySeeBills(org.permissions) };
      const result = await readPage(db, reportList, { scope, now, ...pageQueryOf(filter) });
      const data = await findReports(pool, { orgId: org.id, ids: result.data, withPreview: preview });
      return page({ ...result, data, asOf: now });
    }),
    fileRoute(calls.download, async ({ org, params: { month, kind }, query }) => {
      const [file] = await filesOf(pool, org, { months: [month], kinds: [kind], ...query });
      if (!file) return fail('CB-09-0031');
      return {
        fileName: `${org.code}-${nameOf(file)}`,
        contentType: contentTypes[file.format],
        content: Readable.from(partsOf(pool, file), { objectMode: false }),
        bytes: file.bytes,
      };
    }),
    fileRoute(calls.downloadSeveral, async ({ org, body: { months, kinds = reportKinds, format } }) => {
      const files = await filesOf(pool, org, { months, kinds, format });
      if (files.length === 0) return fail('CB-09-0031');
      if (files.reduce((sum, { bytes }) => sum + bytes, 0) > maxArchiveBytes) return fail('CB-09-0032');
      const at = clock.now();
      const entries = files.map((file) => ({
        name: `${file.month}/${nameOf(file)}`,
        at,
        content: partsOf(pool, file),
      }));
      return {
        fileName: `${org.code}-reports.zip`,
        contentType: contentTypes.zip,
        content: zipArchive(entries),
      };
    }),
    route(calls.preferences, (caller) => preferences.read(caller)),
    route(calls.setPreferences, ({ body, principal, ...caller }) =>
      preferences.set({ ...caller, userId: principal.userId }, body),
    ),
  ];
};

const filesOf = (
  pool: pg.Pool,
  org: OrgContext,
  filter: { months: readonly string[]; kinds: readonly ReportKind[]; format?: FileFormat | undefined },
): Promise<StoredFile[]> => {
  const kinds = filter.kinds.filter((kind) => kind !== 'cost' || maySeeBills(org.permissions));
  return findFiles(pool, { ...filter, orgId: org.id, kinds });
};

const nameOf = ({ month, kind, format }: StoredFile): string => `${kind}-${month}.${format}`;
