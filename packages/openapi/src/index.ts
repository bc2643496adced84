export { bundle, externalDocuments, externalRefs, type Bundled } from './bundle/bundle.js';
export type { ExternalRef } from './bundle/refs.js';
export { compileDocument, type CompileOptions } from './compile.js';
export type { ActionOutcome } from './overlay/apply.js';
export { applyOverlay, type Overlaid, type OverlayOutcome } from './overlay/overlay.js';
export { exitCode, renderReport, reportJson, summarise, type ReportJson, type ReportSummary } from './report/render.js';
export type { ChangeFact, Direction } from './changes/fact.js';
export { judgeChanges, type JudgeOptions } from './changes/judge.js';
