import type { JsonSchema, ModelTool } from '@bailing/plugin-api';

/** Tools of four unrelated businesses, made up for the tests. No name of them occurs in the planner. */
export const library: readonly ModelTool[] = [
  tool('searchBooks', 'Search the catalogue for books', {
    keyword: { type: 'string', description: 'Words from the title or the topic' },
    author: { type: 'string', description: 'Author name' },
    language: { type: 'string', enum: ['en', 'zh', 'de'], description: 'en = English, zh = Chinese, de = German' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  }),
  tool(
    'getLoans',
    'Look up the current loans of a reader',
    { card_no: { type: 'string', description: 'Library card number, like LC-20318' } },
    ['card_no'],
  ),
  tool(
    'borrowBook',
    'Lend a copy to a reader',
    {
      card_no: { type: 'string', pattern: '^LC-\\d{5}$', description: 'Library card number' },
      copy_id: { type: 'string', pattern: '^C\\d{6}$', description: 'Copy barcode' },
      days: { type: 'integer', minimum: 1, maximum: 60, description: 'Loan period in days' },
    },
    ['card_no', 'copy_id'],
  ),
  tool(
    'returnBook',
    'Take back a borrowed copy',
    {
      copy_id: { type: 'string', pattern: '^C\\d{6}$', description: 'Copy barcode' },
      damaged: { type: 'boolean', description: 'Whether the copy came back damaged' },
    },
    ['copy_id'],
  ),
  tool(
    'renewLoan',
    'Extend a loan',
    {
      loan_id: { type: 'string', description: 'Loan number, e.g. L-77' },
      days: { type: 'integer', description: 'Additional days' },
    },
    ['loan_id', 'days'],
  ),
  tool(
    'payFine',
    'Pay an overdue fine',
    {
      card_no: { type: 'string', description: 'Library card number, like LC-20318' },
      amount: { type: 'number', exclusiveMinimum: 0, description: 'Amount paid' },
    },
    ['card_no', 'amount'],
  ),
];

export const hotel: readonly ModelTool[] = [
  tool(
    'list_vacant_rooms',
    '查询空房。何时用：客人询问某段时间有没有房。返回：房间列表',
    {
      check_in: { type: 'string', format: 'date', description: '入住日期' },
      check_out: { type: 'string', format: 'date', description: '离店日期' },
      room_type: { type: 'string', enum: ['single', 'double', 'suite'], description: '房型：single=单人间，double=双人间，suite=套房' },
    },
    ['check_in', 'check_out'],
  ),
  tool(
    'make_reservation',
    '预订房间',
    {
      guest_name: { type: 'string', description: '客人姓名' },
      room_type: { type: 'string', enum: ['single', 'double', 'suite'], description: '房型：single=单人间，double=双人间，suite=套房' },
      check_in: { type: 'string', format: 'date', description: '入住日期' },
      nights: { type: 'integer', minimum: 1, description: '入住晚数' },
      breakfast: { type: 'boolean', description: '是否含早餐' },
    },
    ['guest_name', 'room_type', 'check_in', 'nights'],
  ),
  tool(
    'cancel_reservation',
    '取消预订',
    {
      reservation_no: { type: 'string', pattern: '^RSV\\d{4,}$', description: '预订单号' },
      reason: { type: 'string', description: '取消原因' },
    },
    ['reservation_no'],
  ),
  tool('get_reservation', '查看预订详情', { reservation_no: { type: 'string', pattern: '^RSV\\d{4,}$', description: '预订单号' } }, [
    'reservation_no',
  ]),
  tool(
    'request_cleaning',
    '安排客房打扫',
    {
      room_no: { type: 'string', description: '房间号' },
      time: { type: 'string', description: '打扫时间 HH:MM' },
    },
    ['room_no'],
  ),
  tool(
    'change_room',
    '为住客换房',
    {
      from_room: { type: 'string', description: '原房间号' },
      to_room: { type: 'string', description: '新房间号' },
      reason: { type: 'string', description: '换房原因' },
    },
    ['from_room', 'to_room'],
  ),
];

export const warehouse: readonly ModelTool[] = [
  tool(
    'wms_stock_get',
    'Show stock on hand of an item (scope wms.stock.read, read-only)',
    {
      sku: { type: 'string', description: 'Stock keeping unit, e.g. BOLT-M8' },
      warehouse: { type: 'string', description: 'Warehouse code, e.g. W1' },
    },
    ['sku'],
  ),
  tool(
    'wms_stock_transfer',
    'Move stock between warehouses',
    {
      sku: { type: 'string', description: 'Stock keeping unit, e.g. BOLT-M8' },
      from_warehouse: { type: 'string', pattern: '^W\\d+$', description: 'Source warehouse' },
      to_warehouse: { type: 'string', pattern: '^W\\d+$', description: 'Target warehouse' },
      quantity: { type: 'integer', minimum: 1, description: 'How many pieces' },
    },
    ['sku', 'from_warehouse', 'to_warehouse', 'quantity'],
  ),
  tool(
    'wms_stock_adjust',
    'Adjust the stock level after a count',
    {
      sku: { type: 'string', description: 'Stock keeping unit, e.g. BOLT-M8' },
      warehouse: { type: 'string', pattern: '^W\\d+$' },
      new_quantity: { type: 'integer', minimum: 0, description: 'Counted quantity' },
      reason: { type: 'string', description: 'Why the level changes' },
    },
    ['sku', 'warehouse', 'new_quantity', 'reason'],
  ),
  tool('shipment_track', 'Track a shipment', { tracking_no: { type: 'string', description: 'Carrier tracking number' } }, ['tracking_no']),
  tool(
    'shipment_dispatch',
    'Dispatch a shipment at once',
    {
      shipment_id: { type: 'string', pattern: '^SH-\\d+$' },
      carrier: { type: 'string', enum: ['dhl', 'ups', 'sf_express'], description: 'sf_express = 顺丰' },
      weight_kg: { type: 'number', description: 'Weight in kilograms' },
    },
    ['shipment_id', 'carrier'],
  ),
  tool('supplier_list', 'List all suppliers', { city: { type: 'string', description: 'City of the supplier' } }),
];

export const orders: readonly ModelTool[] = [
  tool(
    'getOrder',
    'Look up one order by its number (scope order.read, read-only)',
    {
      order_no: { type: 'string', pattern: '^A-\\d{4}$', description: 'Order number, for example A-1001' },
    },
    ['order_no'],
  ),
  tool(
    'createRefundRequest',
    'Create a refund request for an order. It is reviewed before any money moves. (scope refund.request.create, may need approval)',
    {
      order_no: { type: 'string', pattern: '^A-\\d{4}$', description: 'Order number, for example A-1001' },
      amount: { type: 'number', exclusiveMinimum: 0, description: 'Amount to refund, in yuan' },
      reason: { type: 'string', minLength: 1, maxLength: 200, description: 'Why the customer wants the money back' },
    },
    ['order_no', 'amount'],
  ),
  tool(
    'executeRefund',
    'Execute a refund immediately (scope refund.execute, needs approval)',
    {
      order_no: { type: 'string', pattern: '^A-\\d{4}$', description: 'Order number, for example A-1001' },
      amount: { type: 'number', exclusiveMinimum: 0, description: 'Amount to refund, in yuan' },
    },
    ['order_no', 'amount'],
  ),
];

export const all: readonly ModelTool[] = [...library, ...hotel, ...warehouse, ...orders];

/** A tool with closed arguments. */
export function tool(
  name: string,
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): ModelTool {
  return { name, description, parameters: { type: 'object', properties, required, additionalProperties: false } };
}
