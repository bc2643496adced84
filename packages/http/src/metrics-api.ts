/** What a metrics collector reads (WIRE §2.8). */
export interface MetricsApi {
  /** Whether this is the metrics token; no other credential opens it. */
  admits(token: string | null): boolean;
  /** OpenMetrics text and its media type. */
  read(): Promise<{ readonly type: string; readonly text: string }>;
}
