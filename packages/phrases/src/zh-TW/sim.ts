import type { Phrases } from '../shape.ts';

export const sim: Phrases['sim'] = {
  title: 'SIM 卡',
  lifecycle: {
    'pre-activated': '預啟用',
    active: '已啟用',
    paused: '已暫停',
    expired: '已到期',
    terminated: '已終止',
  },
  connection: { online: '線上', connected: '已連線', offline: '離線', unknown: '未知' },
};
