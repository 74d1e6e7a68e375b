import { readFileSync } from 'node:fs';
import { connect, typed } from '/root/wt/sims/apps/server/src/platform/db/index.ts';
import { listSims } from '/root/wt/sims/apps/server/src/modules/sim/sim-list.views.ts';
import { scopedTo } from '/root/wt/sims/apps/server/src/modules/sim/sim-scope.views.ts';
import { listOrgServices } from '/root/wt/sims/apps/server/src/modules/bundle/services/service-list.views.ts';
const { pool, close } = connect({ url: readFileSync('/tmp/t3/url', 'utf8'), max: 4, name: 't3', onError: () => undefined });
const db = typed(pool);
const now = new Date();
const day = (n: number) => new Date(now.getTime() + n * 86400000).toISOString();
const time = async (name: string, work: () => Promise<{ total: number; relation: string; data: unknown[] }>) => {
  const times: number[] = []; let last;
  for (let i = 0; i < 4; i += 1) { const t = performance.now(); last = await work(); times.push(performance.now() - t); }
  console.log(Math.min(...times.slice(1)).toFixed(0).padStart(6), times[0]?.toFixed(0).padStart(6), name, last?.total, last?.relation, last?.data.length);
};
const only = process.argv[2];
const sims: Record<string, object> = {
  'plain': {}, 'device contains zeppelin': { device_name: 'zeppelin' }, 'device berlin': { device_name: 'berlin' }, 'device 1 letter': { device_name: 'z' }, 'notes team 7': { notes: 'team 77' },
  'delivery exact': { delivery_note_number: 'DN-001234' }, 'delivery part': { delivery_note_number: '12' }, 'delivery none': { delivery_note_number: 'zz' },
  'grade rare': { chip_grade: ['automotive'] }, 'grade common': { chip_grade: ['consumer'] }, 'tech rare': { technology: ['OTA BIP'] }, 'tech 1%': { technology: ['OTA'] }, 'tech+grade': { technology: ['OTA BIP'], chip_grade: ['industrial'] },
  'apn common': { apn: 'iot' }, 'apn rare': { apn: 'acme' }, 'apn none': { apn: 'zz' }, 'ip': { ip: '10.0.48.57' }, 'ip none': { ip: '192.168.0.1' },
  'country DE': { country: ['DE'] }, 'country CH': { country: ['CH'] }, 'country none': { country: ['JP'] }, 'operator rare': { operator: ['228-01'] }, 'radio rare': { radio: ['WLAN'] }, 'radio common': { radio: ['4G'] }, 'radio none': { radio: ['2G'] },
  'shipment day': { shipment_from: day(-300).slice(0, 10), shipment_to: day(-300).slice(0, 10) }, 'shipment year': { shipment_from: day(-300).slice(0, 10) },
  'activated range': { activated_from: day(-30), activated_to: day(-29) }, 'expires range': { expires_from: day(10), expires_to: day(11) }, 'expires past': { expires_to: day(0) },
  'session before': { last_session_to: day(-29.9) }, 'session after': { last_session_from: day(-1) }, 'session none': { last_session_to: day(-90) }, 'imei changed 30': { imei_changed_within_days: 30 }, 'imei changed 1': { imei_changed_within_days: 1 },
  'usage max 0': { usage_percent_max: 0 }, 'usage 50-51': { usage_percent_min: 50, usage_percent_max: 51 }, 'bytes min': { usage_bytes_min: 1_150_000_000 }, 'bytes none': { usage_bytes_min: 5_000_000_000 }, 'bytes range': { usage_bytes_min: 500_000_000, usage_bytes_max: 500_100_000 },
  ...Object.fromEntries(['msisdn', 'last_imei', 'device_name', 'notes', 'tags', 'delivery_note_number', 'shipment_on', 'bundle', 'apn', 'ip', 'last_session_at', 'expires_at'].flatMap((f) => [[`empty ${f}`, { empty: [f] }], [`filled ${f}`, { not_empty: [f] }]])),
  'combo': { country: ['DE'], technology: ['OTA'], usage_percent_min: 50, lifecycle: ['active'] }, 'combo none': { country: ['CH'], radio: ['WLAN'] }, 'combo 2': { apn: 'acme', last_session_from: day(-1), tags: ['fleet'] },
  'identifiers 10000': { identifiers: Array.from({ length: 10000 }, (_, i) => `8949030${String(i * 97).padStart(12, '0')}`) },
};
const services: Record<string, object> = {
  'plain': {}, 'pending': { status: ['pending'] }, 'cancelled': { status: ['cancelled'] }, 'in use': { status: ['in use'] }, 'bundle 3': { bundle: ['B3'] }, 'bundle none': { bundle: ['X'] }, 'supplementary pending': { type: ['prepaid supplementary'], status: ['pending'] },
  'ordered day': { ordered_from: day(-100), ordered_to: day(-99) }, 'ordered future': { ordered_from: day(10) }, 'expires day': { expires_from: day(3), expires_to: day(4) }, 'expires past in use': { expires_to: day(0), status: ['in use'] },
  'search sales': { search: 'SO-0012345' }, 'search sales wide': { search: 'SO-' }, 'search iccid': { search: '000000123456' }, 'search name': { search: 'zeppelin' }, 'search berlin': { search: 'berlin' }, 'search none': { search: 'qqqqqq' }, 'search 2': { search: 'zz' }, 'search 1 pending': { search: '7', status: ['pending'] },
};
if (only !== 'services') for (const sort of [undefined, 'iccid', '-expires_at'] as const) {
  console.log('SIMs sorted by', sort);
  for (const [name, filter] of Object.entries(sims)) await time(name, () => listSims(db, scopedTo({ id: 1 }), { filter, sort, page: { page_no: 1, page_size: 50 }, now }) as never);
}
if (only !== 'sims') for (const sort of [undefined, 'ordered_at', '-activated_at', 'expires_at', 'iccid', '-iccid'] as const) {
  console.log('services sorted by', sort);
  for (const [name, filter] of Object.entries(services)) await time(name, () => listOrgServices(db, { id: 1 }, { filter, sort, page: { page_no: 1, page_size: 50 } }) as never);
  const first = await listOrgServices(db, { id: 1 }, { filter: {}, sort, page: { page_no: 59, page_size: 50 } });
  await time('cursor', () => listOrgServices(db, { id: 1 }, { filter: {}, sort, page: { page_no: 1, page_size: 50, cursor: first.nextCursor ?? '' } }) as never);
}
await close();
