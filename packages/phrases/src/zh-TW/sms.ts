import type { Phrases } from '../shape.ts';

export const sms: Phrases['sms'] = {
  directions: {
    mt: '發往 SIM 卡',
    mo: '來自 SIM 卡',
  },
  statuses: {
    processing: '處理中',
    sent: '已傳送',
    delivered: '已送達',
    failed: '失敗',
    unknown: '未知',
  },
  reasons: {
    refused: '網路未接受',
    'address-invalid': '網路不認識此號碼',
    'not-sent-in-time': '未能及時傳送',
    expired: '未能及時送達裝置',
    deleted: '網路已將其刪除',
    undeliverable: '無法送達',
    rejected: '遭網路拒絕',
    'no-answer': '網路未回應',
    'no-receipt': '未及時收到回條',
  },
};
