import type { Phrases } from '../shape.ts';

export const notify: Phrases['notify'] = {
  kind: '分组类型',
  kinds: { email: '邮件', sms: '短信' },
  label: { email: '邮件地址分组', sms: '短信订阅分组' },
  search: { email: '按名称或邮箱搜索', sms: '按名称或电话搜索' },
  new: { email: '新建邮件地址分组', sms: '新建短信分组' },
  create: { email: '新建邮件地址分组', sms: '新建短信订阅分组' },
  edit: '编辑 {{name}}',
  rowMenu: '{{name}} 的操作',
  actions: { edit: '编辑' },
  fields: { name: '名称', count: '成员数', created: '创建日期' },
  addresses: { email: '邮箱地址', sms: '电话号码' },
  hint: {
    email: '最多 {{max}} 个。每输入一个按回车，也可粘贴列表。',
    sms: '最多 {{max}} 个，使用不带“+”的国际格式，例如 4915112345678。每输入一个按回车，也可粘贴列表。',
  },
  make: '创建',
  save: '保存',
  made: '已创建 {{name}}',
  saved: '已保存 {{name}}',
  empty: { email: '还没有邮件地址分组', sms: '还没有短信订阅分组' },
  emptyHint: {
    email: '同一分组的所有人会收到相同的邮件通知。',
    sms: '同一分组的所有号码会收到相同的短信通知。',
  },
  noMatch: '没有匹配的分组',
  noMatchHint: '请检查拼写，或搜索名称的一部分。',
};
