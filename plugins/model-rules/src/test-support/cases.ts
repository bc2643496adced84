import type { ModelTool } from '@bailing/plugin-api';
import { hotel, library, orders, warehouse } from './tools.js';

/** One request, and the calls it must lead to, in order, when every call is answered. */
export interface Case {
  readonly says: string;
  readonly tools: readonly ModelTool[];
  readonly calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
}

const damaged = 'the parcel arrived damaged';

export const cases: readonly Case[] = [
  // orders
  one(orders, 'Look up order A-1001', 'getOrder', { order_no: 'A-1001' }),
  one(orders, 'What is the status of order A-1002?', 'getOrder', { order_no: 'A-1002' }),
  one(orders, 'Please show me A-1003', 'getOrder', { order_no: 'A-1003' }),
  one(orders, `Create a refund request of 300 for order A-1001 because ${damaged}`, 'createRefundRequest', {
    order_no: 'A-1001',
    amount: 300,
    reason: damaged,
  }),
  one(orders, 'Request a refund of 5000 for order A-1002', 'createRefundRequest', { order_no: 'A-1002', amount: 5000 }),
  one(orders, 'Request a refund of $1,250.50 for order A-1002.', 'createRefundRequest', { order_no: 'A-1002', amount: 1250.5 }),
  one(orders, 'Execute the refund of 120 for order A-1003 immediately', 'executeRefund', { order_no: 'A-1003', amount: 120 }),
  one(orders, '帮我查一下订单 A-1003 的状态', 'getOrder', { order_no: 'A-1003' }),
  one(orders, '为订单A-1001申请退款300元，因为商品破损', 'createRefundRequest', { order_no: 'A-1001', amount: 300, reason: '商品破损' }),
  one(orders, '订单A-1002要退款1,200元，原因是尺寸不合适，请提交申请', 'createRefundRequest', {
    order_no: 'A-1002',
    amount: 1200,
    reason: '尺寸不合适',
  }),
  one(orders, '立即执行订单A-1003的退款，金额80元', 'executeRefund', { order_no: 'A-1003', amount: 80 }),
  // library
  one(library, 'Which books does the reader with card LC-20318 have on loan?', 'getLoans', { card_no: 'LC-20318' }),
  one(library, 'Search books about machine learning', 'searchBooks', { keyword: 'machine learning' }),
  one(library, 'Find books by Yu Hua in Chinese', 'searchBooks', { author: 'Yu Hua', language: 'zh' }),
  one(library, 'Lend copy C000123 to LC-20318 for 14 days', 'borrowBook', { card_no: 'LC-20318', copy_id: 'C000123', days: 14 }),
  one(library, 'Copy C000123 was returned damaged, please take it back', 'returnBook', { copy_id: 'C000123', damaged: true }),
  one(library, 'Extend loan L-77 by 7 days', 'renewLoan', { loan_id: 'L-77', days: 7 }),
  one(library, 'Pay the overdue fine of 4.50 for card LC-20318', 'payFine', { card_no: 'LC-20318', amount: 4.5 }),
  one(library, '查询读者证 LC-20318 目前的借阅', 'getLoans', { card_no: 'LC-20318' }),
  one(library, '搜索关于人工智能的书', 'searchBooks', { keyword: '人工智能' }),
  one(library, '把 C000456 借给 LC-20318，借30天', 'borrowBook', { card_no: 'LC-20318', copy_id: 'C000456', days: 30 }),
  one(library, '归还 C000456', 'returnBook', { copy_id: 'C000456' }),
  one(library, '续借 L-81，延长十四天', 'renewLoan', { loan_id: 'L-81', days: 14 }),
  one(library, '为 LC-20318 支付罚款12元', 'payFine', { card_no: 'LC-20318', amount: 12 }),
  // hotel
  one(hotel, '查一下2026年5月1日到5月3日有没有双人间空房', 'list_vacant_rooms', {
    check_in: '2026-05-01',
    check_out: '2026-05-03',
    room_type: 'double',
  }),
  one(hotel, '为客人王小明预订一间套房，2026-05-01入住，住两晚，含早餐', 'make_reservation', {
    guest_name: '王小明',
    room_type: 'suite',
    check_in: '2026-05-01',
    nights: 2,
    breakfast: true,
  }),
  one(hotel, '取消预订 RSV20017，因为行程有变', 'cancel_reservation', { reservation_no: 'RSV20017', reason: '行程有变' }),
  one(hotel, '看看 RSV20017 的详情', 'get_reservation', { reservation_no: 'RSV20017' }),
  one(hotel, '安排 305 房间 15:30 打扫', 'request_cleaning', { room_no: '305', time: '15:30' }),
  one(hotel, '把住客从305换到502，原因：空调故障', 'change_room', { from_room: '305', to_room: '502', reason: '空调故障' }),
  one(hotel, 'Are there vacant suites from 2026-06-10 to 2026-06-12?', 'list_vacant_rooms', {
    check_in: '2026-06-10',
    check_out: '2026-06-12',
    room_type: 'suite',
  }),
  one(hotel, 'Book a double room for Maria Lopez, arriving 2026-06-10 for 3 nights without breakfast', 'make_reservation', {
    guest_name: 'Maria Lopez',
    room_type: 'double',
    check_in: '2026-06-10',
    nights: 3,
    breakfast: false,
  }),
  one(hotel, 'Cancel reservation RSV30001', 'cancel_reservation', { reservation_no: 'RSV30001' }),
  one(hotel, 'Have room 412 cleaned', 'request_cleaning', { room_no: '412' }),
  // warehouse
  one(warehouse, 'How much stock of BOLT-M8 is there in W2?', 'wms_stock_get', { sku: 'BOLT-M8', warehouse: 'W2' }),
  one(warehouse, 'Transfer 40 pieces of NUT-M6 from W1 to W3', 'wms_stock_transfer', {
    sku: 'NUT-M6',
    from_warehouse: 'W1',
    to_warehouse: 'W3',
    quantity: 40,
  }),
  one(warehouse, 'Adjust BOLT-M8 in W2 to 980 because the count was wrong', 'wms_stock_adjust', {
    sku: 'BOLT-M8',
    warehouse: 'W2',
    new_quantity: 980,
    reason: 'the count was wrong',
  }),
  one(warehouse, 'Where is parcel 1Z999AA10123456784?', 'shipment_track', { tracking_no: '1Z999AA10123456784' }),
  one(warehouse, 'Dispatch SH-5512 with UPS, 12.5 kg', 'shipment_dispatch', { shipment_id: 'SH-5512', carrier: 'ups', weight_kg: 12.5 }),
  one(warehouse, 'List all suppliers in Berlin', 'supplier_list', { city: 'Berlin' }),
  one(warehouse, '查询 BOLT-M8 在 W2 的库存', 'wms_stock_get', { sku: 'BOLT-M8', warehouse: 'W2' }),
  one(warehouse, '从W1调拨1,500个NUT-M6到W3', 'wms_stock_transfer', {
    sku: 'NUT-M6',
    from_warehouse: 'W1',
    to_warehouse: 'W3',
    quantity: 1500,
  }),
  one(warehouse, '用顺丰立即发货 SH-5513', 'shipment_dispatch', { shipment_id: 'SH-5513', carrier: 'sf_express' }),
  one(warehouse, '追踪快递 SF1234567890', 'shipment_track', { tracking_no: 'SF1234567890' }),
  one(warehouse, '列出上海的供应商', 'supplier_list', { city: '上海' }),
  // several steps
  many(orders, `Look up order A-1001 and create a refund request of 300 because ${damaged}`, [
    ['getOrder', { order_no: 'A-1001' }],
    ['createRefundRequest', { order_no: 'A-1001', amount: 300, reason: damaged }],
  ]),
  many(orders, '查询订单A-1001，然后为它申请退款50元', [
    ['getOrder', { order_no: 'A-1001' }],
    ['createRefundRequest', { order_no: 'A-1001', amount: 50 }],
  ]),
  many(orders, 'Look up orders A-1001, A-1002 and A-1003', [
    ['getOrder', { order_no: 'A-1001' }],
    ['getOrder', { order_no: 'A-1002' }],
    ['getOrder', { order_no: 'A-1003' }],
  ]),
  many(warehouse, 'Show stock of BOLT-M8 in W1; then transfer 10 pieces from W1 to W2', [
    ['wms_stock_get', { sku: 'BOLT-M8', warehouse: 'W1' }],
    ['wms_stock_transfer', { sku: 'BOLT-M8', from_warehouse: 'W1', to_warehouse: 'W2', quantity: 10 }],
  ]),
  many(hotel, '查看RSV20017并安排305房间打扫', [
    ['get_reservation', { reservation_no: 'RSV20017' }],
    ['request_cleaning', { room_no: '305' }],
  ]),
  many(library, '先归还C000123，再把C000456借给LC-20318', [
    ['returnBook', { copy_id: 'C000123' }],
    ['borrowBook', { card_no: 'LC-20318', copy_id: 'C000456' }],
  ]),
];

export function one(tools: readonly ModelTool[], says: string, name: string, args: Readonly<Record<string, unknown>>): Case {
  return { says, tools, calls: [[name, args]] };
}

function many(tools: readonly ModelTool[], says: string, calls: Case['calls']): Case {
  return { says, tools, calls };
}
