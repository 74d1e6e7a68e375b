import type { Phrases } from '../shape.ts';

export const task: Phrases['task'] = {
  title: '任务中心',
  facts: '您在该组织中最近 {{days}} 天的后台任务',
  header: '任务',
  headerLabel: '任务：{{count}} 个进行中',
  emptyTitle: '最近 {{days}} 天没有任务',
  emptyHint: '为您启动的导入及其进度会显示在这里。',
  fields: {
    reference: '编号',
    type: '类型',
    quantity: '数量',
    status: '状态',
    started: '开始时间',
    elapsed: '用时',
    result: '结果',
    remark: '备注',
  },
  types: { 'sim-import': 'SIM 卡导入', 'cdr-import': '用量记录导入' },
  statuses: { processing: '处理中', done: '已完成', issues: '有问题' },
  progress: '{{done}} / {{quantity}}',
  result: '接受 {{accepted}}，已有 {{duplicate}}，拒绝 {{refused}}',
  brokeOff: '未完成即中断',
  ended: { done: '{{type}} {{reference}} 已完成。', issues: '{{type}} {{reference}} 已结束，但有问题。' },
};
