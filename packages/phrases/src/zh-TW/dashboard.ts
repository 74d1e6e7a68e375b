import type { Phrases } from '../shape.ts';

export const dashboard: Phrases['dashboard'] = {
  title: '分析',
  cycle: '週期 {{from}} – {{to}}',
  cards: {
    label: '關鍵指標',
    active: '已啟用 SIM 卡',
    activeOf: '共 {{total}}',
    activeCompared: '較上週 {{change}}',
    usage: '本週期用量',
    usageCompared: '較上週期同日 {{change}}',
    overage: '超出配額的 SIM 卡',
    overageCompared: '較昨天 {{change}}',
    overageSame: '與昨天相同',
    expiring: '{{days}} 天內到期',
    expiringSoon: '7 天內 {{shown}} 張',
    noComparison: '暫無可比數據',
    trend: '近日趨勢：{{label}}',
  },
  chart: {
    title: '數據用量',
    range: '圖表時段',
    ranges: {
      '24h': '24 小時',
      week: '一週',
      '6months': '6 個月',
    },
    today: '近 24 小時',
    yesterday: '前一天',
    used: '用量',
    asOfProvisional: '{{asOf}} · 暫定',
    hour: '小時',
    day: '日期',
    month: '月份',
    none: '此時段內沒有用量',
    cutOff: '每日截止於 23:59 UTC+8',
  },
  lifecycle: {
    title: '生命週期',
    sims_one: '張 SIM 卡',
    sims_other: '張 SIM 卡',
    status: '狀態',
  },
  months: {
    title: '6 個月',
    used: '用量',
  },
  week: {
    title: '本週',
    perDay: '{{unit}}/天',
  },
  rank: {
    title: '用量排行',
    thisCycle: '本週期',
    usage: '已用 {{bytes}}',
    none: '本週期還沒有用量',
  },
};
