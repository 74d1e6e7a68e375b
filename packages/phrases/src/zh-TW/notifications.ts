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
  scheduleRan: {
    subject: '{{schedule}}：已送達 {{delivered}}/{{quantity}}',
    preview: '失敗 {{failed}}，未傳送 {{left_out}}。',
    title: '{{schedule}} 已執行',
    body: '排程簡訊 {{schedule}} 於 {{time}} 執行。SIM 卡：{{quantity}}。已送達：{{delivered}}，失敗：{{failed}}，未知：{{unknown}}，未傳送：{{left_out}}（其中因配額：{{unpaid}}）。',
    note: '任務 {{task}} 的報告列出每張未傳送的 SIM 卡及原因。',
    short:
      'SimCube：{{schedule}} 於 {{time}} 執行。已送達 {{delivered}}/{{quantity}}，失敗 {{failed}}，未傳送 {{left_out}}。',
  },
  scheduleMissed: {
    subject: '{{schedule}} 未執行',
    preview: '{{reason}}。',
    title: '{{schedule}} 未執行',
    body: '排程簡訊 {{schedule}} 應於 {{time}} 執行，但未執行。{{reason}}。錯過的執行次數：{{runs}}。',
    note: '不會補傳。下一次執行照常進行。',
    short: 'SimCube：{{schedule}} 未於 {{time}} 執行。{{reason}}。',
  },
  autoflowFired: {
    subject: '{{rule}} 已觸發（SIM 卡：{{sims}}）',
    preview: '{{iccid}}',
    title: '規則 {{rule}} 已觸發',
    body: '規則 {{rule}} 於 {{time}} 觸發。SIM 卡數：{{sims}}。ICCID：{{iccid}}。{{comparison}}',
    note: '規則的執行記錄列出每張 SIM 卡及所做的操作。',
    short: 'SimCube：{{rule}} 已觸發。SIM 卡數：{{sims}}。ICCID：{{iccid}}。{{comparison}}',
  },
  autoflowFailed: {
    subject: '{{rule}} 的一個動作失敗',
    preview: '{{reason}}。',
    title: '規則 {{rule}} 的一個動作失敗',
    body: '規則 {{rule}} 於 {{time}} 觸發，但有一個動作未能執行。SIM 卡數：{{sims}}。{{reason}}。',
    note: '規則的執行記錄列出每張 SIM 卡。該動作之後不會再執行。',
    short: 'SimCube：{{rule}} 的一個動作失敗。SIM 卡數：{{sims}}。{{reason}}。',
  },
  smsReceived: {
    subject: '來自 {{msisdn}} 的簡訊',
    preview: '{{content}}',
    title: '{{msisdn}} 傳來一則簡訊',
    body: 'SIM 卡 {{iccid}}（{{msisdn}}）於 {{time}} 傳送至 {{to}}：{{content}}',
    note: '您可在「設定」的「簡訊服務」中變更 SIM 卡簡訊的轉寄目標。',
    short: 'SimCube：{{msisdn}} 傳來：{{content}}',
  },
};
