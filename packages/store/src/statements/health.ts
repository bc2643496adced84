import { statement } from './statement.js';

/** Answers when the database does. */
export const ping = statement<[], { readonly one: number }>('ping', 'SELECT 1 AS one');
