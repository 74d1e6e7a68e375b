import type { Phrases } from '../shape.ts';

export const notify: Phrases['notify'] = {
  kind: '群組類型',
  kinds: { email: '郵件', sms: '簡訊' },
  label: { email: '郵件地址群組', sms: '簡訊訂閱群組' },
  search: { email: '依名稱或電子郵件搜尋', sms: '依名稱或電話搜尋' },
  new: { email: '新增郵件地址群組', sms: '新增簡訊群組' },
  create: { email: '新增郵件地址群組', sms: '新增簡訊訂閱群組' },
  edit: '編輯 {{name}}',
  rowMenu: '{{name}} 的操作',
  actions: { edit: '編輯' },
  fields: { name: '名稱', count: '成員數', created: '建立日期' },
  addresses: { email: '電子郵件地址', sms: '電話號碼' },
  hint: {
    email: '最多 {{max}} 個。每輸入一個按 Enter，也可貼上清單。',
    sms: '最多 {{max}} 個，使用不帶「+」的國際格式，例如 4915112345678。每輸入一個按 Enter，也可貼上清單。',
  },
  make: '建立',
  save: '儲存',
  made: '已建立 {{name}}',
  saved: '已儲存 {{name}}',
  empty: { email: '尚無郵件地址群組', sms: '尚無簡訊訂閱群組' },
  emptyHint: {
    email: '同一群組的所有人會收到相同的郵件通知。',
    sms: '同一群組的所有號碼會收到相同的簡訊通知。',
  },
  noMatch: '沒有符合的群組',
  noMatchHint: '請檢查拼字，或搜尋名稱的一部分。',
};
