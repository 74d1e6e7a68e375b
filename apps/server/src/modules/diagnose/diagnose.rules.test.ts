import { languages } from '@simcube/contract';
import { diagnoseChecks } from '@simcube/contract/diagnose';
import { describe, expect, it } from 'vitest';
import { brokenFacts, diagnosedAt, healthyFacts, hoursAgo } from '../../testing/diagnose.ts';
import { diagnose, overallOf } from './diagnose.rules.ts';
import { wordingOf } from './diagnose.wording.ts';
import type { DiagnoseFacts } from './diagnose-facts.rules.ts';
import {
  checkOf,
  type Finding,
  type FindingName,
  findings,
  lightOf,
  worstOf,
} from './diagnose-findings.rules.ts';

type Changes = Partial<DiagnoseFacts>;
const healthy = healthyFacts();
const session = (changes: Partial<NonNullable<DiagnoseFacts['session']>> = {}) => {
  if (!healthy.session) throw new Error('A healthy SIM has a session');
  return { ...healthy.session, ...changes };
};
const lifecycle = (changes: Partial<DiagnoseFacts['lifecycle']>): Changes => ({
  lifecycle: { ...healthy.lifecycle, ...changes },
});
const usage = (changes: Partial<DiagnoseFacts['usage']>): Changes => ({
  usage: { ...healthy.usage, ...changes },
});
const bundle = (changes: Partial<NonNullable<DiagnoseFacts['bundle']>>): Changes => ({
  bundle: { type: 'prepaid basic', outOfCoveragePolicy: 'shut down', coverageCountries: ['FR'], ...changes },
});
const refusals = (lastAt: Date, reason = 'apn-not-allowed'): Changes => ({
  rejects: [{ reason, times: 3, lastAt }],
});

/** For each finding, what leads to it, and a fact that it must contain. */
const cases: Record<FindingName, [Changes, Finding['facts']?]> = {
  'card-known': [{}, { technology: 'one IMSI' }],
  'card-not-shipped': [
    { card: { technology: 'one IMSI', shipmentOn: '2026-11-22' } },
    { shipment_on: '2026-11-22' },
  ],
  'card-not-activatable': [
    { ...lifecycle({ status: 'pre-activated' }), card: { technology: 'OTA BIP', shipmentOn: null } },
    { technology: 'OTA BIP' },
  ],
  active: [{}, { since_at: '2026-08-13T12:00:00.000Z' }],
  testing: [{ ...lifecycle({ status: 'pre-activated' }), ...bundle({ type: 'test plan' }) }],
  'activates-itself': [
    {
      ...lifecycle({ status: 'pre-activated', preActivationEndsAt: hoursAgo(-24) }),
      order: null,
      bundle: null,
      pendingOrders: 1,
    },
    { starts_at: '2026-11-22T12:00:00.000Z' },
  ],
  'not-activated': [lifecycle({ status: 'pre-activated', preActivationEndsAt: hoursAgo(-24) })],
  paused: [lifecycle({ status: 'paused' })],
  expired: [
    lifecycle({ status: 'expired', changedAt: hoursAgo(24), graceDays: 5 }),
    { terminates_at: '2026-11-25T12:00:00.000Z' },
  ],
  terminated: [lifecycle({ status: 'terminated' })],
  'order-in-use': [{}, { bundle: 'Europe 1 GB' }],
  'order-endless': [{ order: { bundle: 'Flow', endsAt: null } }, { bundle: 'Flow' }],
  'order-ending': [{ order: { bundle: 'Flow', endsAt: hoursAgo(-7 * 24) } }],
  'order-over': [{ order: { bundle: 'Flow', endsAt: diagnosedAt } }],
  'order-pending': [{ order: null, pendingOrders: 2 }, { pending: 2 }],
  'order-none': [{ order: null }],
  'order-terminated': [{ ...lifecycle({ status: 'terminated' }), order: null }],
  'quota-none': [{ order: null }],
  'quota-unlimited': [usage({ limitBytes: null })],
  'quota-left': [usage({ usedBytes: 899, limitBytes: 1000 }), { used_bytes: 899, limit_bytes: 1000 }],
  'quota-turned': [usage({ data: 'stopped', overLimit: true, cycleEndsAt: diagnosedAt })],
  'quota-nearly': [usage({ usedBytes: 900, limitBytes: 1000 })],
  'quota-billed': [usage({ usedBytes: 1001, limitBytes: 1000, overLimit: true })],
  'quota-slowed': [usage({ data: 'slowed', overLimit: true, rateKbps: 128 }), { kbps: 128 }],
  'quota-stopped': [usage({ data: 'stopped', overLimit: true, cycleEndsAt: null })],
  'quota-stopped-until': [
    usage({ data: 'stopped', overLimit: true }),
    { turns_at: '2026-11-30T12:00:00.000Z' },
  ],
  'let-in': [{}],
  'let-in-slowed': [{ access: { accept: true, ip: null, rateKbps: 256 } }, { kbps: 256 }],
  'refused-identity-missing': [{ access: { accept: false, reason: 'identity-missing' } }],
  'refused-unknown-sim': [{ access: { accept: false, reason: 'unknown-sim' } }],
  'refused-not-activated': [{ access: { accept: false, reason: 'not-activated' } }],
  'refused-paused': [{ access: { accept: false, reason: 'paused' } }],
  'refused-expired': [{ access: { accept: false, reason: 'expired' } }],
  'refused-terminated': [{ access: { accept: false, reason: 'terminated' } }],
  'refused-quota-used': [{ access: { accept: false, reason: 'quota-used' } }],
  'refused-pool-used-up': [{ access: { accept: false, reason: 'pool-used-up' } }],
  'refused-data-off': [{ access: { accept: false, reason: 'data-off' } }],
  'refused-apn-not-allowed': [{ access: { accept: false, reason: 'apn-not-allowed' } }],
  'refused-outside-coverage': [{ access: { accept: false, reason: 'outside-coverage' } }],
  seen: [{ lastSeenAt: hoursAgo(24) }, { operator: 'Vodafone', country: 'DE' }],
  'seen-before': [{ connection: 'offline', lastSeenAt: hoursAgo(24.1), network: null }, { operator: null }],
  'never-seen': [{ lastSeenAt: null }],
  silent: [{ connection: 'unknown', lastSeenAt: hoursAgo(30 * 24 + 1) }],
  'session-open': [{ session: session({ updatedAt: hoursAgo(1 / 6) }) }],
  'session-ended': [
    { session: session({ stoppedAt: hoursAgo(24), cause: 'User-Request' }) },
    { cause: 'User-Request' },
  ],
  'session-quiet': [{ connection: 'connected' }],
  'session-not-ended': [{ networkOverdue: 'disconnect' }, { started_at: '2026-11-21T07:00:00.000Z' }],
  'session-rate-unchanged': [{ networkOverdue: 'rate' }],
  'session-broken': [{ session: session({ stoppedAt: hoursAgo(1), cause: 'Lost-Carrier' }) }],
  'session-old': [{ session: session({ stoppedAt: hoursAgo(25), cause: null }) }, { cause: null }],
  'session-none': [{ session: null }],
  'apn-any': [{ apn: null, session: null }],
  'apn-any-used': [{ apn: null }, { apn: 'iot.example' }],
  'apn-right': [{ session: session({ apn: 'IOT.example.mnc002.mcc262.gprs' }) }],
  'apn-unseen': [{ session: null }, { allowed: 'iot.example' }],
  'apn-refused': [refusals(hoursAgo(0.01)), { allowed: 'iot.example', times: 3 }],
  'apn-wrong': [{ session: session({ apn: 'internet' }) }, { apn: 'internet', allowed: 'iot.example' }],
  'ip-fixed': [{ fixedIp: '10.20.30.40' }],
  'ip-private': [{}, { ip: '10.20.30.40' }],
  'ip-shared': [{ session: session({ ip: '100.127.0.1' }) }],
  'ip-public': [{ session: session({ ip: '2001:db8::1' }) }],
  'ip-none': [{ session: session({ ip: null }) }],
  'ip-fixed-waiting': [{ session: null, fixedIp: '10.1.1.1' }, { fixed: '10.1.1.1' }],
  'ip-other': [{ fixedIp: '10.1.1.1' }, { ip: '10.20.30.40', fixed: '10.1.1.1' }],
  'imei-steady': [
    { imei: { last: '356938035643809', former: '490154203237518', changedAt: hoursAgo(30 * 24 + 1) } },
  ],
  'imei-unknown': [{ imei: { last: null, former: null, changedAt: null } }],
  'imei-changed': [
    { imei: { last: '356938035643809', former: '490154203237518', changedAt: hoursAgo(30 * 24) } },
    { former: '490154203237518' },
  ],
  'coverage-everywhere': [bundle({ coverageCountries: [] })],
  'coverage-inside': [bundle({ coverageCountries: ['DE'] }), { country: 'DE' }],
  'coverage-ignored': [bundle({ outOfCoveragePolicy: 'not applicable' })],
  'coverage-unknown': [{ network: { plmn: '262-99', operator: null, country: null } }],
  'coverage-no-bundle': [{ bundle: null }],
  'coverage-billed': [bundle({ outOfCoveragePolicy: 'billing' })],
  'coverage-refused': [bundle({}), { country: 'DE' }],
  'rejects-none': [{}],
  'rejects-over': [refusals(hoursAgo(2)), { times: 3, 'times_apn-not-allowed': 3 }],
  'rejects-lasting': [
    { ...refusals(hoursAgo(0.01), 'paused'), access: { accept: false, reason: 'paused' } },
    { reason: 'paused' },
  ],
};

const foundBy = (changes: Changes, name: FindingName): Finding | undefined =>
  diagnose(healthyFacts(changes)).find(({ finding }) => checkOf(finding) === checkOf(name));

describe('a finding', () => {
  it.each(Object.keys(cases) as FindingName[])('%s', (name) => {
    const [changes, facts = {}] = cases[name];
    expect(foundBy(changes, name)).toEqual({ finding: name, facts: expect.objectContaining(facts) });
  });

  it('has its sentence and advice in every language, with all values filled in', () => {
    for (const language of languages) {
      const word = wordingOf(language);
      for (const name of Object.keys(cases) as FindingName[]) {
        const found = foundBy(cases[name][0], name);
        const { sentence, advice } = word(found ?? { finding: name, facts: {} });
        expect(`${sentence} ${advice ?? ''}`, `${language} ${name}`).not.toMatch(
          /\{\{|undefined|null|diagnose\./,
        );
        expect(advice === null, name).toBe(lightOf(name) === 'good');
      }
    }
  });
});

describe('a report', () => {
  it('has every check once, in the order of the contract', () => {
    expect(diagnose(healthyFacts()).map(({ finding }) => checkOf(finding))).toEqual(diagnoseChecks);
  });

  it('has the status of its worst check', () => {
    expect(overallOf(diagnose(healthyFacts()))).toBe('good');
    expect(overallOf(diagnose(brokenFacts()))).toBe('bad');
    expect(overallOf(diagnose(healthyFacts({ imei: { last: null, former: null, changedAt: null } })))).toBe(
      'unknown',
    );
    expect(worstOf(['good', 'warning', 'unknown'])).toBe('warning');
    expect(Object.keys(findings)).toHaveLength(Object.keys(cases).length);
  });

  // Between two sweeps of AAA the stored connection lags behind the clock, and so does the report, like the
  // SIM's page.
  it.each([
    ['online', 25, 'seen'],
    ['connected', 25, 'seen'],
    ['offline', 1, 'seen'],
    ['offline', 31 * 24, 'seen-before'],
    ['unknown', 29 * 24, 'silent'],
  ] as const)('finds a SIM that is %s and was seen %s hours ago %s', (connection, hours, finding) => {
    expect(foundBy({ connection, lastSeenAt: hoursAgo(hours) }, finding)?.finding).toBe(finding);
  });

  it.each([
    ['2001:db8:0:7:e1d2::5', 'ip-fixed'],
    ['2001:db8:0:8:200::2a', 'ip-other'],
    ['10.1.1.1', 'ip-other'],
  ] as const)('compares the /64 of a static IPv6 address with %s: %s', (ip, finding) => {
    const changes = { fixedIp: '2001:db8:0:7:200::2a', session: session({ ip }) };
    expect(foundBy(changes, finding)?.finding).toBe(finding);
  });

  it('does not report a refusal that a later session disproves', () => {
    expect(foundBy(refusals(hoursAgo(1)), 'apn-right')?.finding).toBe('apn-right');
    const now = healthyFacts({ ...refusals(hoursAgo(1)), lastSeenAt: null });
    expect(diagnose(now).at(-1)?.finding).toBe('rejects-over');
  });

  it.each([
    ['172.31.255.1', 'ip-private'],
    ['172.32.0.1', 'ip-public'],
    ['100.63.0.1', 'ip-public'],
    ['169.254.1.1', 'ip-private'],
    ['192.168.0.1', 'ip-private'],
    ['fd00::1', 'ip-private'],
    ['fe80::1', 'ip-private'],
    ['8.8.8.8', 'ip-public'],
  ] as const)('calls %s %s', (ip, finding) => {
    expect(foundBy({ session: session({ ip }) }, finding)?.finding).toBe(finding);
  });
});

describe('sentences', () => {
  const sentence = (language: (typeof languages)[number], changes: Changes, name: FindingName) => {
    const found = foundBy(changes, name);
    return found && wordingOf(language)(found).sentence;
  };

  it('name instants in UTC, bytes in binary units, countries by their names', () => {
    expect(sentence('en-US', { lastSeenAt: hoursAgo(1) }, 'seen')).toBe(
      'Last seen at Nov 21, 2026, 11:00 UTC in the network of Vodafone (Germany).',
    );
    expect(sentence('zh-CN', { lastSeenAt: hoursAgo(1) }, 'seen')).toBe(
      '最近一次出现：2026年11月21日 11:00 UTC，Vodafone 的网络（德国）。',
    );
    expect(
      sentence('es-ES', usage({ usedBytes: 1.5 * 1024 ** 3, limitBytes: 2 * 1024 ** 3 }), 'quota-left'),
    ).toBe('1,5 GB de 2 GB consumidos en este ciclo.');
    const unnamed = { network: { plmn: '262-99', operator: null, country: null } };
    expect(sentence('en-US', unnamed, 'seen')).toContain('in the network 262-99.');
  });

  it.each([
    ['en-US', 'the network of Vodafone (Germany), last cell 262-02-31F2-1A7C40 near Hamburg.'],
    ['zh-CN', 'Vodafone 的网络（德国），最近小区 262-02-31F2-1A7C40（Hamburg 附近）。'],
    ['zh-TW', 'Vodafone 的網路（德國），最近基地台 262-02-31F2-1A7C40（Hamburg 附近）。'],
    ['es-ES', 'la red de Vodafone (Alemania), última celda 262-02-31F2-1A7C40, cerca de Hamburg.'],
  ] as const)('name the last cell and the town that it stands near, in %s', (language, end) => {
    const cell = '262-02-31F2-1A7C40';
    expect(sentence(language, { session: session({ cell, town: 'Hamburg' }) }, 'seen')).toContain(end);
    const nowhere = sentence('en-US', { session: session({ cell }) }, 'seen');
    expect(nowhere).toContain('the network of Vodafone (Germany), last cell 262-02-31F2-1A7C40.');
  });

  it('name technologies of SIMs and days in the language', () => {
    const preActivated = lifecycle({ status: 'pre-activated' });
    const card = { technology: 'multi IMSI', shipmentOn: null };
    expect(sentence('zh-TW', { ...preActivated, card }, 'card-not-activatable')).toBe(
      '卡片技術：多 IMSI，無法在主控台啟用。',
    );
    const shipped = { card: { technology: 'one IMSI', shipmentOn: '2026-11-22' } };
    expect(sentence('es-ES', shipped, 'card-not-shipped')).toBe(
      'El envío de la tarjeta está previsto para el 22 nov 2026.',
    );
  });

  it('name the reasons of refusals, the most frequent first, and those that have no words', () => {
    const rejects = [
      { reason: 'paused', times: 2, lastAt: hoursAgo(1) },
      { reason: 'of-a-later-version', times: 5, lastAt: hoursAgo(2) },
    ];
    expect(sentence('en-US', { rejects }, 'rejects-over')).toContain(
      'Reasons: for another reason (5) and the SIM is paused (2).',
    );
  });
});
