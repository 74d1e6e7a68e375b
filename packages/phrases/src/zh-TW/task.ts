import type { Phrases } from '../shape.ts';

export const task: Phrases['task'] = {
  title: '工作中心',
  facts: '您在此組織中最近 {{days}} 天的背景工作',
  header: '工作',
  headerLabel: '工作：{{count}} 個進行中',
  emptyTitle: '最近 {{days}} 天沒有工作',
  emptyHint: '為您啟動的匯入及其進度會顯示在這裡。',
  fields: {
    reference: '編號',
    type: '類型',
    quantity: '數量',
    status: '狀態',
    started: '開始時間',
    elapsed: '耗時',
    result: '結果',
    remark: '備註',
  },
  types: { 'sim-import': 'SIM 卡匯入', 'cdr-import': '用量紀錄匯入' },
  statuses: { processing: '處理中', done: '已完成', issues: '有問題' },
  progress: '{{done}} / {{quantity}}',
  result: '接受 {{accepted}}，已有 {{duplicate}}，拒絕 {{refused}}',
  brokeOff: '未完成即中斷',
  ended: { done: '{{type}} {{reference}} 已完成。', issues: '{{type}} {{reference}} 已結束，但有問題。' },
};
