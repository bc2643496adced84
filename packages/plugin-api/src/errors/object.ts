import { entries } from './entry.js';

/** Configuration objects over HTTP and at rest (WIRE §1.1, §18). */
export const objectErrors = entries({
  BAILING_OBJECT_INVALID: {
    status: 400,
    blame: 'caller',
    retry: 'never',
    says: 'The object is not valid.',
    fix: 'Correct the named fields; `problems` lists every one.',
  },
  BAILING_OBJECT_EXISTS: {
    status: 412,
    blame: 'caller',
    retry: 'never',
    says: 'An object of this name exists.',
    fix: 'Read it, and change it with PUT and If-Match, or choose another name.',
  },
  BAILING_OBJECT_CHANGED: {
    status: 412,
    blame: 'caller',
    retry: 'never',
    says: 'The object was changed or removed since it was read.',
    fix: 'Read it again, and repeat the change with the new ETag.',
  },
  BAILING_OBJECT_MATCH_REQUIRED: {
    status: 428,
    blame: 'caller',
    retry: 'never',
    says: 'PUT asks for the version it replaces.',
    fix: 'Send If-Match with the ETag of GET (or If-None-Match: * to create).',
  },
  BAILING_OBJECT_FILE_OWNED: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'This object is declared in the configuration file, which owns it.',
    fix: 'Change it in the file and send SIGHUP, or remove it there and create it over HTTP.',
  },
  BAILING_OBJECT_IN_USE: {
    status: 409,
    blame: 'caller',
    retry: 'never',
    says: 'Something else refers to this object.',
    fix: 'Change what is named first.',
  },
  BAILING_OBJECT_TWICE: {
    status: 500,
    blame: 'operator',
    retry: 'never',
    says: 'An object stands in the configuration file and in the database.',
    fix: 'Remove or rename it in the file, or delete it from the database (`bailing objects delete`).',
  },
  BAILING_LOGIN_REFUSED: {
    status: 401,
    blame: 'caller',
    retry: 'never',
    says: 'Name or password is wrong.',
    fix: 'Check both; an administrator with the server token can set another password.',
  },
  BAILING_LOGIN_THROTTLED: {
    status: 429,
    blame: 'caller',
    retry: 'later',
    says: 'Logging in is refused for a while.',
    fix: 'Wait ten minutes, or use the server token.',
  },
  BAILING_SECRET_MASKED: {
    status: 400,
    blame: 'caller',
    retry: 'never',
    says: 'A secret was sent as answers and exports show it, not as it is.',
    fix: 'Send the secret itself, as `${NAME}` from the environment, or leave the field out to keep what is stored.',
  },
  BAILING_SECRET_KEY_INVALID: {
    status: 500,
    blame: 'operator',
    retry: 'never',
    says: 'The key that secrets are sealed with cannot be used.',
    fix: 'Set BAILING_SECRET_KEY or hub.secret_key_file to a random text of at least 32 characters.',
  },
  BAILING_SECRET_UNREADABLE: {
    status: 500,
    blame: 'operator',
    retry: 'never',
    says: 'A sealed secret cannot be opened.',
    fix: 'Give this hub the key of the hub that sealed it (BAILING_SECRET_KEY or the key file), or set the secret anew.',
  },
});
