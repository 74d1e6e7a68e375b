import type { Phrases } from '../shape.ts';

export const price: Phrases['price'] = {
  column: '費用',
  title: '本週期費用',
  provisional: '暫定：遲報的用量仍可能使其變動',
  nothing: '目前無費用',
  tariff: '資費 {{name}}，{{date}} 版本',
  line: '{{kind}} · {{name}}',
  kinds: {
    activation: '啟用費',
    cycle: '週期費',
    'over-quota': '超出配額',
    'out-of-coverage': '涵蓋範圍外',
    'pool-cycle': '共享流量池費',
    'over-pool-limit': '超出共享流量池上限',
  },
  /** Quantity and unit price. */
  quantity: {
    each: '{{quantity}} × {{price}}',
    MB: '{{quantity}} MB × {{price}}',
    block: '{{quantity}} 個計費區塊 × {{price}}',
  },
  /** How usage beyond a shared pool’s limit is calculated. */
  overLimit: {
    plain: '已用 {{used}} − 上限 {{limit}} = 超出 {{beyond}}',
    zoned: '已用 {{used}} − 按計費區域收費 {{zoned}} − 上限 {{limit}} = 超出 {{beyond}}',
    within: '已用 {{used}}：未超出上限 {{limit}}',
    zonedWithin: '已用 {{used}} − 按計費區域收費 {{zoned}}：未超出上限 {{limit}}',
    once: '按計費區域收費的用量不會再作為超出上限的用量重複計費。',
  },
};
