/** What bundles and usage cost. */
export const price = {
  column: 'Cost',
  title: 'Cost of the cycle',
  provisional: 'Provisional: usage that is reported late may still change it',
  nothing: 'Nothing so far',
  tariff: 'Tariff {{name}}, version of {{date}}',
  line: '{{kind}} · {{name}}',
  kinds: {
    activation: 'Activation',
    cycle: 'Fee of the cycle',
    'over-quota': 'Beyond the quota',
    'out-of-coverage': 'Out of coverage',
    'pool-cycle': 'Fee of the pool',
    'over-pool-limit': 'Beyond the pool’s limit',
  },
  /** Quantity and unit price. */
  quantity: {
    each: '{{quantity}} × {{price}}',
    MB: '{{quantity}} MB × {{price}}',
    block: '{{quantity}} blocks × {{price}}',
  },
  /** How usage beyond a shared pool’s limit is calculated. */
  overLimit: {
    plain: '{{used}} used − {{limit}} limit = {{beyond}} beyond it',
    zoned: '{{used}} used − {{zoned}} charged by zone − {{limit}} limit = {{beyond}} beyond it',
    within: '{{used}} used: within the limit of {{limit}}',
    zonedWithin: '{{used}} used − {{zoned}} charged by zone: within the limit of {{limit}}',
    once: 'Usage charged by zone is not charged again as usage beyond the limit.',
  },
};
