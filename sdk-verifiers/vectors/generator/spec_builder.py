"""Spec builder: descriptions in, documents out. The documents are written out by hand here, not built."""
from canonical import canonical

FLAGS = {'document': 'what the document looks like', 'warning': 'what is allowed but not wise', 'hostile': 'what cannot be declared', 'risk': 'risk is written whenever it was stated'}
OK = {'200': {'description': 'OK'}}


def acc(scope, **more):
    return {'version': 1, 'enabled': True, 'scope': scope, **more}


def body(properties, **more):
    return {'required': True, 'content': {'application/json': {'schema': {'type': 'object', 'properties': properties, **more}}}}


def doc(paths, title='Shop', version='1.0.0', **more):
    return {'openapi': '3.0.0', 'info': {'title': title, 'version': version}, 'paths': paths, **more}


def spec(*tools, **more):
    return {'title': 'Shop', 'version': '1.0.0', 'tools': list(tools), **more}


PLAIN = {'name': 'ping', 'path': '/ping', 'scope': 'shop.ping', 'description': 'Answers that it is there'}


def plain(**over):
    return {**PLAIN, **over}


def op(name='ping', summary='Answers that it is there', capability=None, write=True, **more):
    out = {'operationId': name, 'summary': summary, 'responses': OK, 'x-agent-capability': capability or acc('shop.ping'), **more}
    if write and 'requestBody' not in more:
        out['requestBody'] = body({})
    return out


def one(operation, path='/ping', method='post', **more):
    return doc({path: {method: operation}}, **more)


def documents():
    full = {'name': 'refund_order', 'method': 'POST', 'path': '/orders/{order_no}/refund', 'scope': 'order.refund', 'description': '给一张订单退款。Refunds an order', 'risk': 'high', 'confirm': True,
            'confirmWhen': [{'param': 'amount', 'op': '>=', 'value': 500, 'label': 'large amount'}, {'param': 'note', 'op': 'exists'}], 'confirmPrompt': 'Refund {amount} on {order_no}', 'requiresSubject': True, 'sensitive': True, 'idempotent': True,
            'timeoutMs': 15000, 'rateLimit': '30/min', 'outcome': {'result': 'The order is refunded', 'sideEffect': 'write'}, 'whenToUse': 'When the customer returns goods', 'returns': 'The refund', 'examples': [{'order_no': 'A-1', 'amount': 9.5}],
            'context': ['order'], 'tags': ['orders'], 'deprecated': True,
            'params': [{'name': 'order_no', 'description': 'Order number', 'required': True}, {'name': 'amount', 'type': 'number', 'description': 'Yuan', 'required': True}, {'name': 'note'}, {'name': 'dry', 'type': 'boolean', 'in': 'query', 'default': False}, {'name': 'X-Trace', 'in': 'header', 'description': 'Trace id'}]}
    full_op = {'operationId': 'refund_order', 'summary': '给一张订单退款。Refunds an order', 'tags': ['orders'], 'deprecated': True,
               'parameters': [{'name': 'order_no', 'in': 'path', 'required': True, 'description': 'Order number', 'schema': {'type': 'string'}}, {'name': 'dry', 'in': 'query', 'required': False, 'schema': {'type': 'boolean', 'default': False}},
                              {'name': 'X-Trace', 'in': 'header', 'required': False, 'description': 'Trace id', 'schema': {'type': 'string'}}],
               'requestBody': body({'amount': {'type': 'number', 'description': 'Yuan'}, 'note': {'type': 'string'}}, required=['amount']), 'responses': OK,
               'x-agent-capability': acc('order.refund', subject={'required': True}, risk={'level': 'high'}, approval={'required': True, 'when': full['confirmWhen'], 'prompt': 'Refund {amount} on {order_no}'},
                                         execution={'idempotent': True, 'timeout_ms': 15000, 'rate_limit': {'count': 30, 'window': '1m'}}, audit={'sensitive': True}, outcome={'result': 'The order is refunded', 'side_effect': 'write'},
                                         guidance={'when_to_use': 'When the customer returns goods', 'returns': 'The refund', 'examples': [{'order_no': 'A-1', 'amount': 9.5}], 'context': ['order']})}
    lst = {'name': 'orders_list', 'method': 'get', 'path': '/orders', 'scope': 'order.read', 'description': 'Lists orders of a customer', 'risk': 'low', 'readonly': True, 'idempotent': True,
           'params': [{'name': 'status', 'enum': ['open', 'paid'], 'required': True}, {'name': 'tags', 'type': 'array'}, {'name': 'ids', 'type': 'array', 'items': {'type': 'integer'}}, {'name': 'n', 'type': 'integer', 'default': 10}]}
    lst_op = op('orders_list', 'Lists orders of a customer', acc('order.read', risk={'level': 'low'}), write=False,
                parameters=[{'name': 'status', 'in': 'query', 'required': True, 'schema': {'type': 'string', 'enum': ['open', 'paid']}}, {'name': 'tags', 'in': 'query', 'required': False, 'schema': {'type': 'array', 'items': {'type': 'string'}}},
                            {'name': 'ids', 'in': 'query', 'required': False, 'schema': {'type': 'array', 'items': {'type': 'integer'}}}, {'name': 'n', 'in': 'query', 'required': False, 'schema': {'type': 'integer', 'default': 10}}])
    yield 'full', 'every member at once', spec(full), one(full_op, '/orders/{order_no}/refund'), []
    yield 'get', 'a GET has query parameters, no body, and no execution flags', spec(lst), one(lst_op, '/orders', 'get'), []
    yield 'minimal', 'the least a tool needs: POST with an empty body object', spec(plain()), one(op()), []
    yield 'no-tools', 'a document without tools', spec(), doc({}), []
    yield 'two-methods', 'two methods on one path', spec(plain(), plain(name='ping_read', method='GET')), doc({'/ping': {'post': op(), 'get': op('ping_read', write=False)}}), []
    yield 'slug', 'no name: a slug of method and path', spec(plain(name=None, method='GET', path='/openTenantApi/staff-list/{id}', params=[{'name': 'id'}])), one(op('get_openTenantApi_staff_list_id', write=False, parameters=[{'name': 'id', 'in': 'path', 'required': True, 'schema': {'type': 'string'}}]), '/openTenantApi/staff-list/{id}', 'get'), []
    yield 'probe', 'the authorization probe announced', spec(plain(), authzProbe=True), one(op(), **{'x-bailing-authz-probe': {'method': 'POST', 'path': '/.well-known/bailing/authz-probe'}}), []
    yield 'probe-own', 'the probe at a place of its own', spec(plain(), authzProbe={'path': '/probe', 'method': 'GET'}), one(op(), **{'x-bailing-authz-probe': {'method': 'GET', 'path': '/probe'}}), []
    yield 'probe-off', 'no probe', spec(plain(), authzProbe=False), one(op()), []
    yield 'nothing-said', 'null, false, zero and empty leave nothing behind', spec(plain(risk=None, confirm=False, confirmWhen=[], confirmPrompt='', requiresSubject=False, sensitive=False, readonly=False, idempotent=None, timeoutMs=0, rateLimit='', whenToUse='', returns=None, examples=[], context=[], tags=[], deprecated=False, params=[])), one(op()), []
    yield 'write-flags', 'read-only and idempotent of a write are emitted', spec(plain(method='PUT', readonly=True, idempotent=True)), one(op(capability=acc('shop.ping', execution={'readonly': True, 'idempotent': True})), method='put'), []
    yield 'query-of-post', 'a query parameter of a POST', spec(plain(params=[{'name': 'page', 'type': 'integer', 'in': 'query', 'required': True}])), one(op(parameters=[{'name': 'page', 'in': 'query', 'required': True, 'schema': {'type': 'integer'}}])), []
    yield 'own-schema', 'a schema of one\'s own, in body and query', spec(plain(params=[{'name': 'when', 'schema': {'type': 'string', 'format': 'date'}, 'description': 'Day', 'required': True}, {'name': 'x', 'in': 'query', 'schema': {'type': 'array', 'items': {'type': 'object', 'properties': {}}}}])),\
        one(op(requestBody=body({'when': {'type': 'string', 'format': 'date', 'description': 'Day'}}, required=['when']), parameters=[{'name': 'x', 'in': 'query', 'required': False, 'schema': {'type': 'array', 'items': {'type': 'object', 'properties': {}}}}])), []
    yield 'defaults', 'false, zero and empty are defaults', spec(plain(params=[{'name': 'a', 'type': 'boolean', 'default': False}, {'name': 'b', 'type': 'integer', 'default': 0}, {'name': 'c', 'default': ''}, {'name': 'd', 'default': None}])),\
        one(op(requestBody=body({'a': {'type': 'boolean', 'default': False}, 'b': {'type': 'integer', 'default': 0}, 'c': {'type': 'string', 'default': ''}, 'd': {'type': 'string'}}))), []
    yield 'two-placeholders', 'two placeholders in one path', spec(plain(method='GET', path='/a/{x}/b/{y}', params=[{'name': 'y'}, {'name': 'x', 'type': 'integer'}])),\
        one(op(write=False, parameters=[{'name': 'y', 'in': 'path', 'required': True, 'schema': {'type': 'string'}}, {'name': 'x', 'in': 'path', 'required': True, 'schema': {'type': 'integer'}}]), '/a/{x}/b/{y}', 'get'), []
    yield 'scope-trimmed', 'white space around a scope goes', spec(plain(scope=' shop.ping ')), one(op()), []
    for level in ('low', 'medium', 'high'):
        yield 'risk-' + level, 'risk stated as ' + level + ' on a write', spec(plain(risk=level)), one(op(capability=acc('shop.ping', risk={'level': level}))), []
    for text, count, window in [('10/s', 10, '1s'), ('10/sec', 10, '1s'), ('1/second', 1, '1s'), ('30/m', 30, '1m'), ('30/minute', 30, '1m'), ('600/hour', 600, '1h'), ('600/h', 600, '1h'), ('1000/day', 1000, '1d'), ('7/d', 7, '1d')]:
        yield 'rate-' + text.replace('/', '-'), 'a rate of ' + text, spec(plain(rateLimit=text)), one(op(capability=acc('shop.ping', execution={'rate_limit': {'count': count, 'window': window}}))), []
    yield 'rate-parsed', 'a rate in its parsed form', spec(plain(rateLimit={'count': 5, 'window': '1h'})), one(op(capability=acc('shop.ping', execution={'rate_limit': {'count': 5, 'window': '1h'}}))), []
    for name, text, warned in [('short', '查库存', True), ('five', '查询库存量', True), ('six', '查询订单库存', False), ('sentence', '查单。查询订单的库存，按仓库分组', True), ('long-sentence', '查询订单的库存。按仓库', False), ('spaces', '  查库存  。', True), ('ascii', 'Stock', True), ('ascii-point', 'Stock. Reads the stock of a shop', False),
                               ('emoji', '😀😀😀😀😀', True), ('emoji-six', '😀😀😀😀😀😀', False), ('mark-first', '。查询订单的库存', True)]:
        yield 'warn-' + name, 'the first sentence: ' + name.replace('-', ' '), spec(plain(description=text)), one(op(summary=text)), ['ping'] if warned else []


ERRORS = [
    ('name-digit', 'invalid_name', [plain(name='1ping')]), ('name-dash', 'invalid_name', [plain(name='ping-it')]), ('name-long', 'invalid_name', [plain(name='p' * 65)]), ('name-newline', 'invalid_name', [plain(name='ping\n')]), ('name-chinese', 'invalid_name', [plain(name='查询')]), ('reserved-find-tools', 'reserved_name', [plain(name='find_tools')]),
    ('reserved', 'reserved_name', [plain(name='send_message')]), ('method', 'invalid_method', [plain(method='TRACE')]), ('path-relative', 'invalid_path', [plain(path='ping')]), ('path-query', 'invalid_path', [plain(path='/ping?x=1')]), ('path-space', 'invalid_path', [plain(path='/pi ng')]), ('path-fragment', 'invalid_path', [plain(path='/ping#x')]),
    ('path-chinese', 'invalid_path', [plain(path='/订单')]), ('path-newline', 'invalid_path', [plain(path='/ping\n')]), ('scope-empty', 'missing_scope', [plain(scope='')]), ('scope-blank', 'missing_scope', [plain(scope='  ')]), ('description', 'missing_description', [plain(description=' ')]), ('risk', 'invalid_risk', [plain(risk='extreme')]), ('risk-case', 'invalid_risk', [plain(risk='High')]),
    ('rate-unit', 'invalid_rate_limit', [plain(rateLimit='30/week')]), ('rate-zero', 'invalid_rate_limit', [plain(rateLimit='0/min')]), ('rate-leading-zero', 'invalid_rate_limit', [plain(rateLimit='030/min')]), ('rate-space', 'invalid_rate_limit', [plain(rateLimit='30 / min')]), ('rate-newline', 'invalid_rate_limit', [plain(rateLimit='30/min\n')]),
    ('rate-long', 'invalid_rate_limit', [plain(rateLimit='1234567890/min')]), ('rate-window', 'invalid_rate_limit', [plain(rateLimit={'count': 5, 'window': '2h'})]), ('timeout-negative', 'invalid_timeout', [plain(timeoutMs=-1)]), ('timeout-long', 'invalid_timeout', [plain(timeoutMs=600001)]), ('timeout-text', 'invalid_timeout', [plain(timeoutMs='5000')]),
    ('param-name', 'invalid_param', [plain(params=[{'name': ''}])]), ('param-type', 'invalid_param', [plain(params=[{'name': 'a', 'type': 'money'}])]), ('param-place', 'invalid_param', [plain(params=[{'name': 'a', 'in': 'cookie'}])]), ('param-get-body', 'invalid_param', [plain(method='GET', params=[{'name': 'a', 'in': 'body'}])]),
    ('param-hub-header', 'invalid_param', [plain(params=[{'name': 'x-BAILING-on-behalf-of', 'in': 'header'}])]), ('param-auth-header', 'invalid_param', [plain(params=[{'name': 'Authorization', 'in': 'header'}])]), ('param-twice', 'duplicate_param', [plain(params=[{'name': 'a'}, {'name': 'a', 'in': 'query'}])]),
    ('path-undeclared', 'path_param_mismatch', [plain(path='/ping/{id}')]), ('path-unused', 'path_param_mismatch', [plain(params=[{'name': 'id', 'in': 'path'}])]), ('name-twice', 'duplicate_name', [plain(), plain(path='/pong')]), ('operation-twice', 'duplicate_operation', [plain(), plain(name='pong')]), ('first-tool-first', 'invalid_risk', [plain(risk='x'), plain(name='1')]),
]


def group():
    cases = []
    for name, note, given, document, warned in documents():
        value = canonical({'document': document, 'warnings': [{'code': 'short_first_sentence', 'tool': tool} for tool in warned]})
        flag = 'warning' if name.startswith('warn-') else 'risk' if name.startswith('risk-') else 'document'
        cases.append({'id': 'spec-builder/' + name, 'kind': 'build', 'note': note, 'flags': [flag], 'input': {'spec': given}, 'expected': {'result': value, 'value': value}})
    for name, code, tools in ERRORS:
        cases.append({'id': 'spec-builder/bad-' + name, 'kind': 'build', 'note': 'cannot be declared: ' + name.replace('-', ' '), 'flags': ['hostile'], 'input': {'spec': spec(*tools)}, 'expected': {'result': 'error:' + code, 'value': 'error:' + code}})
    return {'group': 'spec-builder', 'parties': ['node', 'python', 'php'], 'flags': FLAGS, 'cases': cases}
