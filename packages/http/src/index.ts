export type * from './desk-api.js';
export type * from './follow-api.js';
export type * from './hub-api.js';
export type * from './metrics-api.js';
export type * from './operate-api.js';
export type * from './tool-providers-api.js';
export type { Access, Reply, Route, RouteRequest } from './route.js';
export { readRunRequest } from './routes/run-request.js';
export { createHttpServer, type HttpServer, type HttpServerOptions } from './server.js';
