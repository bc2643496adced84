"""Django in one file, for WSGI and ASGI servers: raw body from ``request.body``, raw target from META or scope."""

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from bailing_connect import RawRequestError, gate
from bailing_connect.asgi import asgi_request
from bailing_connect.wsgi import read_wsgi
from permissions import SECRET, authorize

if not settings.configured:
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="only-for-this-example")
    django.setup()


def signed_request(request):
    """Before anything touches ``request.POST`` or ``request.read()``: after them Django has no raw body any more."""
    if hasattr(request, "scope"):
        return asgi_request(request.scope, request.body)
    return read_wsgi(request.META, request.body)


@csrf_exempt  # the signature stands in for the CSRF token: no browser session is involved
@require_POST
def refund_order(request, order_no):
    try:
        asked = signed_request(request)
    except RawRequestError as error:
        return JsonResponse({"error": error.code, "message": str(error)}, status=error.status)
    call = gate(SECRET, authorize, asked, tool="refund_order", path_params={"order_no": order_no})
    if not call.ok:
        return JsonResponse({"error": call.error, "message": call.message}, status=call.code)
    return JsonResponse({"refunded": call.params, "by": call.operator})


urlpatterns = [path("orders/<str:order_no>/refund", refund_order)]
application = get_wsgi_application()
asgi_application = get_asgi_application()
