export interface Unit {
  readonly unit: string;
  readonly currency?: string;
}

const MONEY: readonly (readonly [RegExp, string])[] = [
  [/^(rmb|cny|yuan|人民币|元|块钱?|￥)/i, 'CNY'],
  [/^(us\$|usd|dollars?|美元|\$|bucks)/i, 'USD'],
  [/^(eur|euros?|欧元|€)/i, 'EUR'],
  [/^(gbp|pounds? sterling|英镑|£)/i, 'GBP'],
  [/^(jpy|yen|日元|¥)/i, 'JPY'],
];

/** What is counted → the concept a parameter of that kind carries. */
const COUNTED: readonly (readonly [RegExp, string])[] = [
  [/^(%|percent\b|个百分点)/i, 'percent'],
  [/^(nights?\b|晚|夜)/i, 'night'],
  [/^(days?\b|天|日(?!元))/i, 'day'],
  [/^(weeks?\b|周|个?星期)/i, 'week'],
  [/^(months?\b|个?月)/i, 'month'],
  [/^(years?\b|年)/i, 'year'],
  [/^(hours?\b|hrs?\b|个?小时)/i, 'hour'],
  [/^(minutes?\b|mins?\b|分钟)/i, 'minute'],
  [/^(guests?\b|people\b|persons?\b|adults?\b|pax\b|个?人|位)/i, 'person'],
  [/^(rooms?\b|间)/i, 'room'],
  [/^(kg\b|kilograms?\b|kilos?\b|公斤|千克)/i, 'weight'],
  [/^(copies\b|copy\b|本|册)/i, 'copy'],
  [/^(points?\b|积分)/i, 'points'],
  [/^(units?\b|pcs\b|pieces?\b|items?\b|boxes\b|box\b|cartons?\b|pallets?\b|件|个|台|箱|只|套|张|份|瓶|盒|包|袋|支|条|辆)/i, 'quantity'],
];

export function unitAfter(rest: string): Unit | undefined {
  const text = rest.replace(/^\s+/, '');
  for (const [pattern, currency] of MONEY) if (pattern.test(text)) return { unit: 'money', currency };
  for (const [pattern, unit] of COUNTED) if (pattern.test(text)) return { unit };
  return undefined;
}

export function unitBefore(text: string): Unit | undefined {
  const symbol = /(us\$|[$€£¥￥]|\b(?:usd|eur|gbp|cny|rmb|jpy))\s*$/i.exec(text)?.[1];
  if (symbol === undefined) return undefined;
  // Before a number the yen sign is written for yuan far more often than for yen.
  if (symbol === '¥') return { unit: 'money', currency: 'CNY' };
  const known = MONEY.find(([pattern]) => pattern.test(symbol));
  return { unit: 'money', ...(known && { currency: known[1] }) };
}
