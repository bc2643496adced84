import { entries } from './entry.js';

/** Decisions on frozen calls, settlements of unknown ones, and things that must still be sent. */
export const approvalErrors = entries({
  BAILING_APPROVAL_CONFLICT: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This approval is already decided.',
    fix: 'Read the decision that stands; propose the call again if another one is needed.',
  },
  BAILING_APPROVAL_DECISION_ID_USED: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This decision_id was used for another approval.',
    fix: 'Send a decision_id of its own with every decision.',
  },
  BAILING_APPROVAL_EXPIRED: {
    status: 409,
    blame: 'business',
    retry: 'never',
    says: 'This approval expired before its call was run.',
    fix: 'Start the job again; the call is then a new question.',
  },
  BAILING_APPROVAL_VOID: {
    status: 409,
    blame: 'operator',
    retry: 'never',
    says: 'This approval is void: what it froze is not what would be sent any more.',
    fix: 'Start the job again; the call is then a new question.',
  },
  BAILING_JOB_IN_FLIGHT: {
    status: 400,
    blame: 'caller',
    retry: 'later',
    says: 'This job has not ended yet.',
    fix: 'Wait until it ended, then rerun it.',
  },
  BAILING_JOB_RUNS_ONCE: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This job is one message or one debug call, and what it did is known: run again, it could happen twice.',
    fix: 'Send a message anew with a request_id of its own, or try the tool anew with a job_id of its own.',
  },
  BAILING_JOB_ENDED: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This job has ended already.',
    fix: 'Read its result; there is nothing left to cancel.',
  },
  BAILING_JOB_WRITING: {
    status: 409,
    blame: 'caller',
    retry: 'later',
    says: 'A write of this job has no known outcome yet, so the job is not cancelled yet.',
    fix: 'The request stands: the job ends as cancelled once the outcome is recorded. Where the outcome stays unknown, settle it.',
  },
  BAILING_SETTLE_IN_FLIGHT: {
    status: 409,
    blame: 'caller',
    retry: 'later',
    says: 'This call is still on its way; its outcome may come by itself.',
    fix: 'Look again after its send-by time.',
  },
  BAILING_SETTLE_TOO_EARLY: {
    status: 409,
    blame: 'caller',
    retry: 'later',
    says: 'The business would still accept a late send of this call, so it cannot be settled as not applied yet.',
    fix: 'Settle it after the stated time.',
  },
  BAILING_SETTLE_CONFLICT: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This call was settled with the other verdict.',
    fix: 'Read the settlement that stands.',
  },
  BAILING_DELIVERY_FAILED: {
    status: 502,
    blame: 'business',
    retry: 'later',
    says: 'The message could not be delivered.',
    fix: 'Check the address and its service, then send it again.',
  },
});
