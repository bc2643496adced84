import { dump } from 'js-yaml';
import { chinese, crud, duplicates, forms, rings } from './big-bodies.js';
import { actions, filters, nullables, partlyDeclared, pathItems, servers } from './big-queries.js';

/** Documents of over a hundred operations, made here so that the repository stays small. */
export const bigDocuments: Readonly<Record<string, () => string>> = {
  '41-big-crud.json': () => JSON.stringify(crud(24), null, 2),
  '42-big-crud.yaml': () => dump(crud(24)),
  '43-big-rings.json': () => JSON.stringify(rings(128)),
  '44-big-chinese.yaml': () => dump(chinese(110)),
  '45-big-duplicates.json': () => JSON.stringify(duplicates(104), null, 1),
  '46-big-forms.yaml': () => dump(forms(108)),
  '47-big-filters.json': () => JSON.stringify(filters(120), null, 2),
  '48-big-path-items.yaml': () => dump(pathItems(120)),
  '49-big-actions.json': () => JSON.stringify(actions(105), null, 2),
  '50-big-partly-declared.yaml': () => dump(partlyDeclared(200)),
  '51-big-nullables.json': () => JSON.stringify(nullables(102), null, 2),
  '52-big-servers.yaml': () => dump(servers(101)),
};
