/** The stop flag of a job that is being cancelled while a write of it is on its way. The commits of the job set it and take it away. */
export function cancelFlag(job: string): string {
  return `cancel:${job}`;
}
