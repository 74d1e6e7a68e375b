import type { Phrases } from '../shape.ts';

/** Shared pools: their list and their pages. */
export const pool: Phrases['pool'] = {
  label: '組織的共享流量池',
  search: '依名稱或方案搜尋',
  empty: '沒有共享流量池',
  emptyHint: '營運商會為您的組織建立共享流量池。',
  noMatch: '沒有符合的共享流量池',
  noMatchHint: '請搜尋名稱或方案的其他部分，或減少篩選條件。',
  usedShare: '已用 {{percent}}',
  ofAll: '{{part}} / {{all}}',
  fields: {
    name: '共享流量池',
    state: '狀態',
    usage: '本週期用量',
    left: '剩餘',
    activeSims: '使用中的 SIM 卡',
    bundle: '方案',
    policy: '政策',
    optIn: '加入方式',
    rule: '啟用規則',
    base: '每張 SIM 卡的基本上限',
    cycleStarted: '週期開始',
    cycleEnds: '週期結束',
  },
  states: { within: '上限內', over: '超出上限' },
  policies: { 'no limit': '不限制', 'stop overage SIMs': '停用超出配額的 SIM 卡' },
  optIns: { automatic: '自動', manual: '手動' },
  rules: { standard: '標準', 'pro-rata': '按比例' },
};
