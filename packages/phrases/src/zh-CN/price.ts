import type { Phrases } from '../shape.ts';

export const price: Phrases['price'] = {
  column: '费用',
  title: '本周期费用',
  provisional: '暂定：迟报的用量仍可能使其变化',
  nothing: '目前无费用',
  tariff: '资费 {{name}}，{{date}} 版本',
  line: '{{kind}} · {{name}}',
  kinds: {
    activation: '激活费',
    cycle: '周期费',
    'over-quota': '超出配额',
    'out-of-coverage': '覆盖范围外',
    'pool-cycle': '共享流量池费',
    'over-pool-limit': '超出共享流量池限额',
  },
  /** Quantity and unit price. */
  quantity: {
    each: '{{quantity}} × {{price}}',
    MB: '{{quantity}} MB × {{price}}',
    block: '{{quantity}} 个计费块 × {{price}}',
  },
  /** How usage beyond a shared pool’s limit is calculated. */
  overLimit: {
    plain: '已用 {{used}} − 限额 {{limit}} = 超出 {{beyond}}',
    zoned: '已用 {{used}} − 按计费区域收费 {{zoned}} − 限额 {{limit}} = 超出 {{beyond}}',
    within: '已用 {{used}}：未超出限额 {{limit}}',
    zonedWithin: '已用 {{used}} − 按计费区域收费 {{zoned}}：未超出限额 {{limit}}',
    once: '按计费区域收费的用量不会再作为超出限额的用量重复计费。',
  },
};
