import type { Phrases } from '../shape.ts';

export const diagnose: Phrases['diagnose'] = {
  lights: { good: '正常', warning: '注意', bad: '故障', unknown: '未知' },
  overall: {
    good: '未發現問題。',
    unknown: '未發現故障，但有些項目無法檢查。',
    warning: 'SIM 卡有服務或可以取得服務，但有事項需要注意。',
    bad: '故障使 SIM 卡無法正常運作。',
  },
  checks: {
    card: '卡片',
    lifecycle: '生命週期',
    order: '方案訂單',
    quota: '數據配額',
    authorisation: '連線授權',
    registration: '網路註冊',
    session: '工作階段',
    apn: 'APN',
    ip: 'IP 位址',
    imei: '裝置（IMEI）',
    coverage: '涵蓋範圍',
    rejects: '拒絕記錄',
  },
};
