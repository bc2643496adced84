"""FastAPI: raw body from ``await request.body()``, raw target from the scope. The gate is a dependency."""

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse

from bailing_connect import GateResult, RawRequestError, gate_async
from bailing_connect.asgi import asgi_request
from permissions import SECRET, authorize

app = FastAPI()


class Refused(Exception):
    def __init__(self, status: int, error: str, message: str) -> None:
        self.status, self.body = status, {"error": error, "message": message}


@app.exception_handler(Refused)
async def refused(request: Request, error: Refused) -> JSONResponse:
    return JSONResponse(error.body, status_code=error.status)


def passed(tool: str):
    """A dependency that lets only verified and authorised calls of ``tool`` through."""

    async def check(request: Request) -> GateResult:
        try:
            asked = asgi_request(request.scope, await request.body())
        except RawRequestError as error:
            raise Refused(error.status, error.code, str(error)) from None
        call = await gate_async(SECRET, authorize, asked, tool=tool, path_params=request.path_params)
        if not call.ok:
            raise Refused(call.code, call.error or "", call.message)
        return call

    return check


# ":path" and not plain {order_no}: Starlette decodes before it routes, so an encoded slash would miss the route.
@app.post("/orders/{order_no:path}/refund")
async def refund_order(call: GateResult = Depends(passed("refund_order"))):
    return {"refunded": call.params, "by": call.operator}
