import type { Language } from '@simcube/contract';
import type { Service } from '@simcube/contract/bundle';
import type { FileFormat } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import type { OrgContext } from '../../../platform/access/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type Cell, localTimeFormatter, tableFile } from '../../../platform/files/index.ts';
import type { FileResponse } from '../../../platform/http/index.ts';
import { allRows, type FindCosts, type OwnSim } from '../../sim/index.ts';
import { requireRows } from '../../task/index.ts';
import { listCountryUsage } from './coverage.views.ts';
import { cycleList } from './cycles.views.ts';
import { type CycleCosts, costCells, withCosts, withCycleCost } from './service-costs.ts';
import { serviceList, usageByOrder } from './services.views.ts';

export interface ServiceFileRequest {
  sim: OwnSim;
  iccid: string;
  format: FileFormat;
  language: Language;
  timeZone: string;
}

type Column = Parameters<typeof columnHeading>[1];

const columnHeading = (
  language: Language,
  column:
    | 'order_id'
    | 'iccid'
    | 'device_name'
    | 'bundle'
    | 'bundle_code'
    | 'sku'
    | 'type'
    | 'status'
    | 'quota'
    | 'overage_policy'
    | 'slow_kbps'
    | 'threshold'
    | 'stop_after'
    | 'out_of_coverage_policy'
    | 'reset_cycle'
    | 'sales_order'
    | 'ordered'
    | 'activated'
    | 'expires'
    | 'used'
    | 'cycle_started'
    | 'cycle_ends'
    | 'limit'
    | 'current'
    | 'provisional'
    | 'country'
    | 'country_code'
    | 'covered'
    | 'cost'
    | 'currency'
    | 'cost_provisional',
): string => phrase(language, `files.columns.${column}`);

/** The texts of a file: its language, and the time zone, which headings of times name. */
export const fileWords = ({ language, timeZone }: { language: Language; timeZone: string }) => {
  const heading = (column: Column) => columnHeading(language, column);
  return {
    heading,
    timeHeading: (column: Column) => `${heading(column)} (${timeZone})`,
    local: localTimeFormatter(timeZone),
    yesOrNo: (is: boolean) => phrase(language, is ? 'files.yes' : 'files.no'),
  };
};

export type FileWords = ReturnType<typeof fileWords>;

/** Headings of a bundle order, in the order of `serviceCells`. */
export const serviceHeadings = ({ heading, timeHeading }: FileWords): string[] => [
  heading('order_id'),
  heading('iccid'),
  heading('bundle'),
  heading('bundle_code'),
  heading('sku'),
  heading('type'),
  heading('status'),
  heading('quota'),
  heading('overage_policy'),
  heading('out_of_coverage_policy'),
  heading('reset_cycle'),
  heading('sales_order'),
  timeHeading('ordered'),
  timeHeading('activated'),
  timeHeading('expires'),
];

export const serviceCells = (service: Service, language: Language, { local }: FileWords): Cell[] => [
  service.order_id,
  service.iccid,
  service.bundle.name,
  service.bundle.code,
  service.bundle.sku,
  phrase(language, `sim.bundleType.${service.bundle.type}`),
  phrase(language, `files.serviceStatus.${service.status}`),
  service.quota_bytes,
  phrase(language, `files.overage.${service.overage_policy}`),
  phrase(language, `files.coverage.${service.out_of_coverage_policy}`),
  phrase(language, `bundle.resetCycles.${service.reset_cycle}`),
  service.sales_order_id,
  local(service.ordered_at),
  local(service.activated_at),
  local(service.expires_at),
];

/** The amounts of the overage policy: the last columns, in this order. */
export const overageHeadings = ({ heading }: FileWords): string[] => [
  heading('slow_kbps'),
  heading('threshold'),
  heading('stop_after'),
];

export const overageCells = ({ overage }: Service): Cell[] => [
  overage.slow_kbps,
  overage.threshold_bytes,
  overage.stop_after_bytes,
];

/** The orders of one SIM with the usage of each, and the cost of the running cycle. */
export const servicesFile = async (
  { db, costsOf }: { db: Db; costsOf: FindCosts },
  request: ServiceFileRequest & { now: Date },
): Promise<FileResponse> => {
  const { sim, iccid, format, language, now } = request;
  const services = await allRows(db, serviceList, { scope: sim, filter: {}, now });
  const withCost = await withCosts(costsOf, { id: sim.orgId }, services);
  const usage = await usageByOrder(db, sim, withCost);
  const words = fileWords(request);
  return tableFile({
    name: `bundles-${iccid}`,
    format,
    heading: [
      ...serviceHeadings(words),
      words.heading('used'),
      words.heading('cost'),
      words.heading('currency'),
      ...overageHeadings(words),
    ],
    rows: withCost.map((service) => [
      ...serviceCells(service, language, words),
      usage.get(service.order_id) ?? 0,
      ...costCells(service),
      ...overageCells(service),
    ]),
  });
};

export const cyclesFile = async (
  { db, ...costs }: { db: Db } & CycleCosts,
  request: ServiceFileRequest & { org: OrgContext; now: Date },
): Promise<FileResponse> => {
  const { iccid, format, sim, now } = request;
  const cycles = await allRows(db, cycleList, { scope: sim, filter: {}, now });
  const withCost = await withCycleCost(costs, request, cycles);
  const { heading, timeHeading, local, yesOrNo } = fileWords(request);
  return tableFile({
    name: `cycles-${iccid}`,
    format,
    heading: [
      timeHeading('cycle_started'),
      timeHeading('cycle_ends'),
      heading('used'),
      heading('limit'),
      heading('current'),
      heading('provisional'),
      heading('cost'),
      heading('currency'),
      heading('cost_provisional'),
    ],
    rows: withCost.map((cycle): Cell[] => [
      local(cycle.started_at),
      local(cycle.ends_at),
      cycle.used_bytes,
      cycle.limit_bytes,
      yesOrNo(cycle.current),
      yesOrNo(cycle.provisional),
      ...costCells(cycle),
      cycle.cost ? yesOrNo(cycle.cost_provisional) : null,
    ]),
  });
};

/** Usage by country, of some days (UTC+0) or the running cycle. */
export const countriesFile = async (
  db: Db,
  request: ServiceFileRequest & { from?: string | undefined; to?: string | undefined },
): Promise<FileResponse> => {
  const { iccid, format, language, from, to } = request;
  const usage = await listCountryUsage(db, request);
  requireRows(usage.length);
  const { heading, yesOrNo } = fileWords(request);
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return tableFile({
    name: ['countries', iccid, from, to].filter(Boolean).join('-'),
    format,
    heading: [heading('country'), heading('country_code'), heading('used'), heading('covered')],
    rows: usage.map(({ country, bytes, covered }): Cell[] => [
      country === null ? phrase(language, 'files.unknownCountry') : (names.of(country) ?? country),
      country,
      bytes,
      yesOrNo(covered),
    ]),
  });
};
