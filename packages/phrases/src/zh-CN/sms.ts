import type { Phrases } from '../shape.ts';

export const sms: Phrases['sms'] = {
  directions: {
    mt: '发往 SIM 卡',
    mo: '来自 SIM 卡',
  },
  statuses: {
    processing: '处理中',
    sent: '已发送',
    delivered: '已送达',
    failed: '失败',
    unknown: '未知',
  },
  reasons: {
    refused: '网络未接受',
    'address-invalid': '网络不认识该号码',
    'not-sent-in-time': '未能及时发送',
    expired: '未能及时送达设备',
    deleted: '网络已将其删除',
    undeliverable: '无法送达',
    rejected: '被网络拒绝',
    'no-answer': '网络未应答',
    'no-receipt': '未及时收到回执',
  },
};
