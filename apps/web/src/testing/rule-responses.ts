import { type Gateway, success } from './gateway.ts';
import { gigabyte, rule } from './rule-examples.ts';

export const rulesPath = '/rule-engine/auto_flow/cube';

/** The server's responses about one rule, its overshoot, and what the editor offers. */
export const respondWithRule = (gateway: Gateway): void => {
  const base = rulesPath;
  gateway.respond(`GET ${base}/rules`, () => success([rule], { total_count: 1 }));
  gateway.respond(`GET ${base}/rules/count`, () => success({ rules: 1, maximum: 50 }));
  gateway.respond(`GET ${base}/rules/summary`, () =>
    success({
      rules: 1,
      enabled: 1,
      disabled: 0,
      failing: 1,
      firings: 14,
      actions: 28,
      failed: 2,
    }),
  );
  gateway.respond(`POST ${base}/rules/overshoot`, () =>
    success([
      {
        rule_id: '7',
        threshold: { unit: 'GB', amount: 36 },
        sims: 92,
        measured_sims: 92,
        interval_s: 300,
        delay_s: 4.8,
        fastest_bps: 48_000_000,
        typical_bytes: gigabyte,
        worst_bytes: 2 * gigabyte,
        seen_bytes: gigabyte,
        safer: { unit: 'GB', amount: 34 },
      },
    ]),
  );
  gateway.respond(`GET ${base}/rules/7/detail`, () => success(rule));
  gateway.respond(`GET ${base}/triggers/all`, () =>
    success(
      ['data-usage', 'silent'].map((kind) => ({
        kind,
        number: 11,
        name: kind,
        periods: [],
        bounds: [],
        actions: [],
        fields: [],
      })),
    ),
  );
  gateway.respond(`POST ${base}/scopes/validate`, () => success({ sims: 92, errors: [], wrong_rows: 0 }));
  gateway.respond(`GET ${base}/templates`, () => success([], { total_count: 0 }));
  gateway.respond('POST /cube/sim/tags/list', () => success([{ tag: 'camera', sims: 92 }]));
  gateway.respond(`GET ${base}/targets`, () =>
    success([{ id: '4', kind: 'email', name: 'Fleet desk', addresses: 1, url: null }]),
  );
};
