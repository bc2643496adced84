/** Commands that cannot run inside a test, why, and where each is run instead. The key is how the command begins. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'git clone ': 'needs the address of a repository; CI begins with a clone',
  'npm run demo': 'installs and builds; the step "demo" of .ci/run',
  'npm test': 'would run this test again; the step "npm test" of .ci/run',
  'npm run bench ': 'takes minutes and a quiet machine; that its options exist is held below',
  'docker ':
    'needs a container engine; scripts/pack.mjs runs what the Dockerfile runs, and the other commands of the page start the same two hubs',
  'ORDERS_SECRET=at-least-8-characters node docs/examples/orders-service': 'runs until it is stopped; the README starts the same program',
  'BAILING_URL=http://127.0.0.1:18900 BAILING_EXECUTOR_TOKEN':
    'runs until it is stopped; test/src/journeys/reference-executor.test.ts starts it',
};
