import type { Case } from './cases.js';
import { one } from './cases.js';
import { claims, crm, hr, shop } from './more-tools.js';

export const moreCases: readonly Case[] = [
  one(hr, 'Submit annual leave for E-1024 from 2026-03-02 to 2026-03-06', 'post_leave_requests', {
    employee_id: 'E-1024',
    type: 'annual',
    start_date: '2026-03-02',
    end_date: '2026-03-06',
  }),
  one(hr, 'E-1024 is sick from March 3 2026 to March 4 2026, please file a sick leave request', 'post_leave_requests', {
    employee_id: 'E-1024',
    type: 'sick',
    start_date: '2026-03-03',
    end_date: '2026-03-04',
  }),
  one(hr, '帮E-1024申请年假，2026年3月2日到3月6日，原因：回老家', 'post_leave_requests', {
    employee_id: 'E-1024',
    type: 'annual',
    start_date: '2026-03-02',
    end_date: '2026-03-06',
    reason: '回老家',
  }),
  one(hr, 'How much leave does E-1024 have left?', 'get_leave_balance', { employee_id: 'E-1024' }),
  one(hr, 'E-1024还剩多少假期', 'get_leave_balance', { employee_id: 'E-1024' }),
  one(hr, 'List employees of the Sales department', 'get_employees', { department: 'Sales' }),
  one(hr, 'Change the phone of E-1024 to 13800138000', 'patch_employees_id', { id: 'E-1024', phone: '13800138000' }),
  one(hr, 'Update employee E-1024: email anna@example.com', 'patch_employees_id', { id: 'E-1024', email: 'anna@example.com' }),
  one(hr, 'Approve leave request 77', 'approveLeave', { request_id: 77 }),
  one(hr, 'Reject leave request 78 with the comment "project deadline"', 'rejectLeave', { request_id: 78, comment: 'project deadline' }),
  one(hr, '批准请假申请 77', 'approveLeave', { request_id: 77 }),
  one(hr, '驳回请假申请78，备注：项目紧张', 'rejectLeave', { request_id: 78, comment: '项目紧张' }),
  one(crm, '搜索客户张三', 'contacts_search', { keyword: '张三' }),
  one(crm, '搜索"星光科技"的联系人', 'contacts_search', { keyword: '星光科技' }),
  one(crm, '新建联系人李雷，手机13900001111，公司：星光科技', 'contact_create', {
    name: '李雷',
    phone: '13900001111',
    company: '星光科技',
  }),
  one(crm, '为客户1024创建一个高优先级工单，标题：打印机无法联网', 'ticket_create', {
    customer_id: 1024,
    title: '打印机无法联网',
    priority: 'high',
  }),
  one(crm, '关闭工单 556', 'ticket_close', { ticket_id: 556 }),
  one(crm, '给13900001111发短信，内容：您的快递已到', 'sms_send', { phone: '13900001111', content: '您的快递已到' }),
  one(crm, 'Send an SMS to 13900001111 saying your parcel has arrived', 'sms_send', {
    phone: '13900001111',
    content: 'your parcel has arrived',
  }),
  one(crm, 'Create a ticket for customer 1024 titled "Printer offline" with high priority', 'ticket_create', {
    customer_id: 1024,
    title: 'Printer offline',
    priority: 'high',
  }),
  one(shop, 'Order 3 TEA-100 for anna@example.com', 'createOrder', {
    customer: { email: 'anna@example.com' },
    items: [{ sku: 'TEA-100', qty: 3 }],
  }),
  one(shop, 'Place an order of 2 TEA-200 for bob@example.com with coupon SPRING5', 'createOrder', {
    customer: { email: 'bob@example.com' },
    items: [{ sku: 'TEA-200', qty: 2 }],
    coupon: 'SPRING5',
  }),
  one(shop, 'Cancel orders O11, O12 and O13', 'cancelOrders', { order_ids: ['O11', 'O12', 'O13'] }),
  one(shop, 'Cancel order O11 and notify the customer', 'cancelOrders', { order_ids: ['O11'], notify: true }),
  one(shop, 'Set the price of TEA-100 to $12.50', 'setPrice', { sku: 'TEA-100', price_cents: 1250, currency: 'USD' }),
  one(shop, '把TEA-100的价格设为88元', 'setPrice', { sku: 'TEA-100', price_cents: 8800, currency: 'CNY' }),
  one(shop, 'Show invoice INV-2024-017', 'getInvoice', { invoice_no: 'INV-2024-017' }),
  one(shop, 'List overdue invoices', 'listInvoices', { status: 'overdue' }),
  one(shop, 'List invoices from 2026-01-01 to 2026-01-31 that are paid', 'listInvoices', {
    status: 'paid',
    from: '2026-01-01',
    to: '2026-01-31',
  }),
  one(claims, 'What is the status of C-2001?', 'claim_read', { claim_no: 'C-2001' }),
  one(claims, 'C-2001什么时候能到账', 'claim_read', { claim_no: 'C-2001' }),
  one(claims, 'Request a compensation of 80 for C-2001 because the flight was late', 'compensation_request_create', {
    claim_no: 'C-2001',
    amount: 80,
    reason: 'the flight was late',
  }),
  one(claims, 'Compensation of 80 for C-2001 please, reason: late flight', 'compensation_request_create', {
    claim_no: 'C-2001',
    amount: 80,
    reason: 'late flight',
  }),
  one(claims, '给C-2001申请赔付80元，理由是航班延误', 'compensation_request_create', {
    claim_no: 'C-2001',
    amount: 80,
    reason: '航班延误',
  }),
  one(claims, 'Pay out the compensation of 80 for C-2001 immediately, reason: late flight', 'compensation_execute', {
    claim_no: 'C-2001',
    amount: 80,
    reason: 'late flight',
  }),
  one(claims, '立即给C-2001打款赔付80元，原因：航班延误', 'compensation_execute', { claim_no: 'C-2001', amount: 80, reason: '航班延误' }),
];
