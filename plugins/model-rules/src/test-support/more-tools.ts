import type { ModelTool } from '@bailing/plugin-api';
import { tool } from './tools.js';

/** Three more businesses, with names as documents without operation ids get them, nested bodies and lists. */
export const hr: readonly ModelTool[] = [
  tool(
    'post_leave_requests',
    'Submit a leave request for an employee',
    {
      employee_id: { type: 'string', description: 'Employee number, e.g. E-1024' },
      type: { type: 'string', enum: ['annual', 'sick', 'unpaid'], description: 'annual=年假, sick=病假, unpaid=事假' },
      start_date: { type: 'string', format: 'date' },
      end_date: { type: 'string', format: 'date' },
      reason: { type: 'string' },
    },
    ['employee_id', 'type', 'start_date', 'end_date'],
  ),
  tool(
    'get_leave_balance',
    'Get the remaining leave of an employee',
    { employee_id: { type: 'string', description: 'Employee number, e.g. E-1024' } },
    ['employee_id'],
  ),
  tool('get_employees', 'List employees', {
    department: { type: 'string', description: 'Department name' },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
  }),
  tool(
    'patch_employees_id',
    'Update the contact data of an employee',
    {
      id: { type: 'string', description: 'Employee number, e.g. E-1024' },
      phone: { type: 'string' },
      email: { type: 'string', format: 'email' },
    },
    ['id'],
  ),
  tool('approveLeave', 'Approve a leave request', { request_id: { type: 'integer' } }, ['request_id']),
  tool(
    'rejectLeave',
    'Reject a leave request',
    { request_id: { type: 'integer' }, comment: { type: 'string', description: 'Remark for the employee' } },
    ['request_id'],
  ),
];
export const crm: readonly ModelTool[] = [
  tool('contacts_search', '搜索客户联系人', { keyword: { type: 'string', description: '姓名或公司关键字' } }, ['keyword']),
  tool(
    'contact_create',
    '新建联系人',
    {
      name: { type: 'string', description: '姓名' },
      phone: { type: 'string', description: '手机号' },
      company: { type: 'string', description: '公司名称' },
    },
    ['name', 'phone'],
  ),
  tool(
    'ticket_create',
    '创建工单',
    {
      customer_id: { type: 'integer', description: '客户编号' },
      title: { type: 'string', description: '标题' },
      priority: { type: 'string', enum: ['low', 'normal', 'high'], description: '优先级 low=低 normal=普通 high=高' },
      description: { type: 'string', description: '问题描述' },
    },
    ['customer_id', 'title'],
  ),
  tool('ticket_close', '关闭工单', { ticket_id: { type: 'integer', description: '工单编号' } }, ['ticket_id']),
  tool('sms_send', '发送短信', { phone: { type: 'string', description: '手机号' }, content: { type: 'string', description: '短信内容' } }, [
    'phone',
    'content',
  ]),
];
export const shop: readonly ModelTool[] = [
  tool(
    'createOrder',
    'Place a new order',
    {
      customer: {
        type: 'object',
        properties: { email: { type: 'string', format: 'email' }, name: { type: 'string' } },
        required: ['email'],
      },
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            sku: { type: 'string', description: 'e.g. TEA-100' },
            qty: { type: 'integer', minimum: 1, description: 'How many' },
          },
          required: ['sku', 'qty'],
        },
      },
      coupon: { type: 'string' },
    },
    ['customer', 'items'],
  ),
  tool(
    'cancelOrders',
    'Cancel orders',
    {
      order_ids: { type: 'array', items: { type: 'string', pattern: '^O\\d+$' } },
      notify: { type: 'boolean', description: 'Tell the customer' },
    },
    ['order_ids'],
  ),
  tool(
    'setPrice',
    'Set the price of an item',
    {
      sku: { type: 'string', description: 'e.g. TEA-100' },
      price_cents: { type: 'integer', description: 'Price in cents' },
      currency: { type: 'string', enum: ['USD', 'EUR', 'CNY'] },
    },
    ['sku', 'price_cents', 'currency'],
  ),
  tool('getInvoice', 'Fetch an invoice as text', { invoice_no: { type: 'string', description: 'Invoice number such as INV-2024-001' } }, [
    'invoice_no',
  ]),
  tool('listInvoices', 'List invoices', {
    status: { type: 'string', enum: ['open', 'paid', 'overdue'] },
    from: { type: 'string', format: 'date' },
    to: { type: 'string', format: 'date' },
  }),
];

const claim = {
  claim_no: { type: 'string', pattern: '^[A-Z]-[0-9]{4,8}$', description: 'Number of the claim, such as C-2001.' },
  amount: { type: 'number', description: 'Amount in the currency of the claim.' },
  reason: { type: 'string', description: 'Why it is paid.' },
};

/** Two tools for nearly the same thing, one of which cannot be taken back; descriptions in two languages, with the hub's notes. */
export const claims: readonly ModelTool[] = [
  tool(
    'claim_read',
    'Look up one claim: status, holder and total. 查询理赔的状态和金额。 (claim.read, read-only)',
    { claim_no: claim.claim_no },
    ['claim_no'],
  ),
  tool(
    'compensation_request_create',
    'Create a compensation request for a claim; finance decides later. 为理赔提交赔付申请。。返回：the id of the request (compensation.request, needs approval for some arguments)',
    claim,
    ['claim_no', 'amount', 'reason'],
  ),
  tool(
    'compensation_execute',
    'Pay a compensation out immediately, which cannot be taken back. 立即执行赔付打款。 (compensation.execute, needs approval)',
    claim,
    ['claim_no', 'amount', 'reason'],
  ),
];
