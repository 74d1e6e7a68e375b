import type { Phrases } from '../shape.ts';

export const notifications: Phrases['notifications'] = {
  test: {
    subject: 'SimCube 測試通知',
    preview: '通知可以送達此地址。',
    title: '這是一則測試通知',
    body: '有人正在測試通知目標 {{target}}。通知可以送達此地址。',
    note: '您不需要進行任何操作。',
    short: 'SimCube：通知目標 {{target}} 的測試。',
  },
  targetFailing: {
    subject: '通知無法送達 {{target}}',
    preview: '{{reason}}。',
    title: 'API 目標 {{target}} 發生故障',
    body: '送往 {{address}} 的請求已連續多次失敗。{{reason}}。SimCube 會繼續嘗試，間隔逐漸加長。',
    note: '如果 24 小時內始終失敗，此目標將被停用。最近的傳送記錄位於「設定」的「通知目標」。',
    short: 'SimCube：通知無法送達 {{target}}（{{address}}）。{{reason}}。',
  },
  targetPaused: {
    subject: 'API 目標 {{target}} 已停用',
    preview: '{{reason}}。',
    title: 'API 目標 {{target}} 已停用',
    body: 'SimCube 不再向 {{address}} 傳送通知。{{reason}}。',
    note: '恢復正常後，請在「設定」的「通知目標」中恢復此目標。先前未送達的通知不會再次傳送。',
    short: 'SimCube：API 目標 {{target}}（{{address}}）已停用。{{reason}}。',
  },
};
