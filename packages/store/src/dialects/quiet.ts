/** knex reports to the console what it also throws; the throw is enough. */
export const QUIET = Object.freeze({ warn: nothing, error: nothing, debug: nothing, deprecate: nothing });

function nothing(): void {}
