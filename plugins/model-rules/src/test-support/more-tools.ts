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
