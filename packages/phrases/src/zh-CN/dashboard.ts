import type { Phrases } from '../shape.ts';

export const dashboard: Phrases['dashboard'] = {
  title: '分析',
  cycle: '周期 {{from}} – {{to}}',
  cards: {
    label: '关键指标',
    active: '已激活 SIM 卡',
    activeOf: '共 {{total}}',
    activeCompared: '较上周 {{change}}',
    usage: '本周期用量',
    usageCompared: '较上周期同日 {{change}}',
    overage: '超出配额的 SIM 卡',
    overageCompared: '较昨天 {{change}}',
    overageSame: '与昨天相同',
    expiring: '{{days}} 天内到期',
    expiringSoon: '7 天内 {{shown}} 张',
    noComparison: '暂无可比数据',
    trend: '近日趋势：{{label}}',
  },
  chart: {
    title: '数据用量',
    range: '图表时段',
    ranges: {
      '24h': '24 小时',
      week: '一周',
      '6months': '6 个月',
    },
    today: '近 24 小时',
    yesterday: '前一天',
    used: '用量',
    asOfProvisional: '{{asOf}} · 暂定',
    hour: '小时',
    day: '日期',
    month: '月份',
    none: '此时段内没有用量',
    cutOff: '每日截止于 23:59 UTC+8',
  },
  lifecycle: {
    title: '生命周期',
    sims_one: '张 SIM 卡',
    sims_other: '张 SIM 卡',
    status: '状态',
  },
  months: {
    title: '6 个月',
    used: '用量',
  },
  week: {
    title: '本周',
    perDay: '{{unit}}/天',
  },
  rank: {
    title: '用量排行',
    thisCycle: '本周期',
    usage: '已用 {{bytes}}',
    none: '本周期还没有用量',
  },
};
