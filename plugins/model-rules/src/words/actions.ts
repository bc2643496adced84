/**
 * Verbs and what they mean, in general English and Chinese. One line per meaning: stems of English words, then Chinese words after the
 * bar. No name of any particular tool belongs here.
 */
export const ACTIONS = {
  read: 'get fetch read look lookup show view display check see retrieve query tell inspect examine what where who which when is are does | 查询 查看 查一下 查下 查查 查 看看 看一下 看下 看 获取 显示 告诉 了解 核实 是什么 怎么样 如何了 是不是 是否 有没有 还有没有',
  search: 'search find browse seek discover | 搜索 查找 找一下 找找 找 搜一下 搜 检索',
  list: 'list all every enumerate | 列出 列表 列一下 所有 全部 有哪些 哪些',
  count: 'count howmany total | 多少 几个 统计 总数 还剩',
  track: 'track trace follow | 追踪 跟踪 到哪了 到哪儿了',
  compute: 'calculate compute estimate quote | 计算 估算 报价 算一下',
  create:
    'create add new make register insert open record generate post enter | 创建 新建 新增 添加 登记 增加 建立 录入 生成 开 开具 注册 建一个 加',
  request: 'request apply submit ask file raise propose | 申请 提交 发起 提出 请假 报销',
  execute:
    'execute immediately perform process run carry directly now instant instantly straightaway | 执行 立即 马上 立刻 直接 现在就 即刻',
  update:
    'update change modify edit set adjust rename correct amend alter switch put patch | 更新 修改 更改 改为 改成 改到 变更 调整 设置 设为 编辑 改',
  delete: 'delete remove erase drop | 删除 移除 去掉 删掉 删',
  cancel: 'cancel void revoke abort withdraw | 取消 撤销 作废 撤回 退订 退掉 退课 退选',
  approve: 'approve accept confirm | 批准 同意 审批 确认',
  reject: 'reject decline deny refuse | 拒绝 驳回',
  send: 'send notify email message inform remind | 发送 通知 发给 发一条 发个 发 提醒 告知',
  reserve: 'reserve booking reservation reserved | 预订 预定 预留 订 预约',
  checkin: 'checkin arrival arrive | 入住 登记入住 到店 办理入住',
  checkout: 'checkout departure depart | 退房 离店 办理退房',
  borrow: 'borrow lend loan | 借阅 借书 借出 借给 借',
  giveback: 'return giveback | 归还 退还 还书 还掉 还回 还给 还',
  renew: 'renew extend prolong renewal extension | 续借 续住 续期 续 延长 延期',
  transfer: 'transfer move relocate shift | 调拨 转移 移动 调动 转到 换到 转给 调到 移到 换房 换 转账 汇款 打款 转',
  receive: 'receive inbound receipt stockin | 入库 收货 接收 签收 到货',
  ship: 'ship dispatch outbound deliver stockout | 发货 出库 配送 寄出 寄',
  pay: 'pay charge settle | 支付 缴纳 结算 缴 付清 付 交罚款 交费 交钱 交',
  refund: 'refund reimburse reimbursement moneyback | 退款 退钱 退费',
  assign: 'assign allocate | 分配 指派 派给 安排',
  block: 'block lock disable suspend freeze deactivate | 锁定 停用 禁用 冻结 封禁 暂停',
  unblock: 'unblock unlock enable resume activate reactivate | 解锁 启用 恢复 解冻 激活',
  start: 'start begin launch | 启动 开始',
  finish: 'close complete finish end stop | 关闭 完成 结束 停止 关掉',
  clean: 'clean cleaning housekeeping | 打扫 清洁 保洁',
  repair: 'repair fix maintain maintenance | 维修 报修 修理 修',
  print: 'print export download | 打印 导出 下载',
  upload: 'upload import attach | 上传 导入',
  restart: 'restart reboot | 重启 重新启动',
  scale: 'scale resize | 扩容 缩容 扩缩容',
  deploy: 'deploy release rollout | 部署 上线 发布',
  rollback: 'rollback revert | 回滚 回退',
  reset: 'reset | 重置',
  restore: 'restore recover | 还原 找回',
  backup: 'backup archive | 备份 归档',
  sync: 'sync synchronize | 同步',
  merge: 'merge combine | 合并',
  enrol: 'enroll enrol signup join | 选课 选修 报名 加入 选',
  buy: 'buy | 购买 买 下单 采购',
  sell: 'sell | 出售 卖出 卖',
  rent: 'rent hire | 租用 租',
  deposit: 'deposit topup recharge | 存款 充值 存入',
  sign: 'sign | 签署 签字',
  invite: 'invite | 邀请',
  share: 'share | 分享 共享',
  verify: 'verify validate | 验证 校验',
  translate: 'translate | 翻译',
  rate: 'rate review comment | 评价 评论 评分',
} as const;

export type Action = keyof typeof ACTIONS;

/** Meanings that only look. */
export const LOOKING: ReadonlySet<string> = new Set<Action>(['read', 'search', 'list', 'count', 'track', 'compute']);
