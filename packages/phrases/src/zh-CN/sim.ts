import type { Phrases } from '../shape.ts';

export const sim: Phrases['sim'] = {
  title: 'SIM 卡',
  lifecycle: {
    'pre-activated': '预激活',
    active: '已激活',
    paused: '已暂停',
    expired: '已过期',
    terminated: '已终止',
  },
  connection: { online: '在线', connected: '已连接', offline: '离线', unknown: '未知' },
};
