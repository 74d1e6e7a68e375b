import type { Phrases } from '../shape.ts';

/** Shared pools: their list and their pages. */
export const pool: Phrases['pool'] = {
  label: '组织的共享流量池',
  search: '按名称或套餐搜索',
  empty: '没有共享流量池',
  emptyHint: '运营商会为您的组织创建共享流量池。',
  noMatch: '没有匹配的共享流量池',
  noMatchHint: '请搜索名称或套餐的其他部分，或减少筛选条件。',
  usedShare: '已用 {{percent}}',
  ofAll: '{{part}} / {{all}}',
  fields: {
    name: '共享流量池',
    state: '状态',
    usage: '本周期用量',
    left: '剩余',
    activeSims: '活跃 SIM 卡',
    bundle: '套餐',
    policy: '策略',
    optIn: '加入方式',
    rule: '激活规则',
    base: '每张 SIM 卡的基础限额',
    cycleStarted: '周期开始',
    cycleEnds: '周期结束',
  },
  states: { within: '限额内', over: '超出限额' },
  policies: { 'no limit': '不限制', 'stop overage SIMs': '停用超出配额的 SIM 卡' },
  optIns: { automatic: '自动', manual: '手动' },
  rules: { standard: '标准', 'pro-rata': '按比例' },
};
