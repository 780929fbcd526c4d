"""Errors in the shape that OpenAI's clients expect."""

from http import HTTPStatus

from django.http import JsonResponse

_TYPES = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class RefusedError(Exception):
    """A request that isn't answered: `param` names what of it is wrong, `code` is a word for programs."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        retry_after: int = 0,
        allow: str = "",
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.param = status, message, code, param
        self.headers = {"Retry-After": str(retry_after)} if retry_after else {}
        if allow:
            self.headers["Allow"] = allow

    def body(self) -> dict[str, object]:
        """`{"error": …}`, as in the answer to a request and as in a stream that breaks off."""
        usual = "server_error" if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
        kind = _TYPES.get(HTTPStatus(self.status), usual)
        return {"error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}}

    def response(self) -> JsonResponse:
        """The answer to the request."""
        headers = dict(self.headers)
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        return JsonResponse(self.body(), status=self.status, headers=headers)
