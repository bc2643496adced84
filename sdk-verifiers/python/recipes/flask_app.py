"""Flask: raw body from ``request.get_data()``, raw target from the environ of the server."""

from flask import Flask, request

from bailing_connect import RawRequestError, gate
from bailing_connect.wsgi import read_wsgi
from permissions import SECRET, authorize

app = Flask(__name__)


@app.errorhandler(RawRequestError)
def unreadable(error):
    return {"error": error.code, "message": str(error)}, error.status


@app.post("/orders/<order_no>/refund")
def refund_order(order_no):
    asked = read_wsgi(request.environ, request.get_data())
    call = gate(SECRET, authorize, asked, tool="refund_order", path_params={"order_no": order_no})
    if not call.ok:
        return {"error": call.error, "message": call.message}, call.code
    return {"refunded": call.params, "by": call.operator}
