export { RawBodyRequired, type HeaderText, type RawBody } from './bytes.js';
export type { FailureReason } from './reasons.js';
export { failureReason, signToolCall, verifyToolCall, WINDOW_SECONDS, type SignedToolCall, type ToolCallToSign } from './tool-call.js';
export { callbackFailureReason, signCallback, verifyCallback, WINDOW_MILLISECONDS, type SignedCallback } from './callback.js';
export { decisionBody, decisionFailureReason, InvalidDecision, signDecision, verifyDecision, type Decision } from './decision.js';
export { InvalidUid, signTicket, verifyTicket, type TicketCheck, type TicketFailure } from './ticket.js';
export { argsHash, canonicalJson, idempotencyKey, InvalidArguments, parseArguments } from './canonical.js';
export { readHeaders, REPEATED, type HeaderSource, type HeaderValue, type HubHeaders } from './headers.js';
export { gate, type Authorize, type GateRequest, type GateResult } from './gate.js';
export { REFUSALS, type GateCode, type GateError } from './refusals.js';
export type { Params } from './params.js';
export { signedTarget, type TargetOptions } from './target.js';
export { MemoryReplayStore, replayGuard, type ReplayGuard, type ReplayStore } from './replay.js';
export {
  MemoryIdempotencyStore,
  NotApplied,
  runOnce,
  type Claim,
  type IdempotencyStore,
  type OnceAnswer,
  type StoredAnswer,
} from './idempotency.js';
export { IDEMPOTENCY_TABLE, SqlIdempotencyStore, type SqlQuery } from './idempotency-sql.js';
export { authzProbeResponse, type ProbeAuthorize, type ProbeResponse } from './probe.js';
export { SpecServer, type SpecAnswer, type SpecRequest, type SpecSource } from './spec-server.js';
export { buildOpenApiSpec, specWarnings, type OpenApiSpec, type SpecWarning } from './spec/build.js';
export { param, tool } from './spec/tool.js';
export {
  SpecError,
  type ConfirmWhen,
  type Param,
  type ParamOptions,
  type ParamPlace,
  type ParamType,
  type RateLimit,
  type RiskLevel,
  type SpecErrorCode,
  type SpecOptions,
  type Tool,
  type ToolOptions,
} from './spec/types.js';
export { HubClient, HubError, type HubAnswer, type HubClientOptions, type RunRequest, type SendRequest } from './hub-client.js';
export { expressCall, expressGate, type ExpressRequest, type ExpressResponse } from './doors/express.js';
export { fastifyCall, fastifyDoor, type FastifyDoorOptions, type FastifyLike } from './doors/fastify.js';
export { httpDoor, httpGate } from './doors/http.js';
export { koaCall, koaGate, type KoaContext } from './doors/koa.js';
export type { DoorOptions, DoorRefusal } from './doors/options.js';
export { BodyTooLarge, readRawBody } from './doors/raw-body.js';
